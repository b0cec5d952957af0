/** Signatures by Standard Webhooks (standardwebhooks.com, v1): HMAC-SHA256 over id, timestamp and body. */
import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

export function makeSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** Formats the secret as libraries of receivers expect it. */
export function showSecret(secret: Buffer): string {
  return PREFIX + secret.toString('base64');
}

/** The headers of one attempt; a signature for each secret that is valid, so that a rotation breaks nobody. */
export function signatureHeaders(
  messageId: string,
  timestampSeconds: number,
  body: string,
  secrets: readonly Buffer[],
): Record<string, string> {
  const signed = `${messageId}.${timestampSeconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
