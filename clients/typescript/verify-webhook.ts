/** Whether a webhook came from the service: Standard Webhooks, by Web Crypto, on the body as it arrived. */

export interface ReceivedWebhook {
  /** `webhook-id`, `webhook-timestamp` and `webhook-signature`, in any case of letters. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** Not parsed and written again: another blank is another signature. */
  body: string | Uint8Array;
}

export interface VerifyOptions {
  /** How old, or how far in the future, a message may be. */
  toleranceSeconds?: number;
  now?: Date;
}

const TOLERANCE_SECONDS = 300;

/** The secrets as the service showed them (`whsec_…`): two while one takes over from the other. */
export async function verifyWebhook(
  secrets: string | readonly string[],
  { headers, body }: ReceivedWebhook,
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<boolean> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret);
    for (const signature of signatures.split(' ')) {
      const claimed = signature.startsWith('v1,') ? decode(signature.slice(3)) : null;
      // Web Crypto compares in constant time.
      if (claimed !== null && (await crypto.subtle.verify('HMAC', key, claimed, signed))) return true;
    }
  }
  return false;
}

function keyOf(secret: string) {
  const bytes = decode(secret.replace(/^whsec_/, '')) ?? new Uint8Array(1);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function header(headers: ReceivedWebhook['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return [found ?? ''].flat()[0] as string;
}
