/** `Prefer` (RFC 7240) as far as sync honours it: `respond-async` and `wait`. */

export interface Preference {
  waitMs: number;
  /** Whether the caller wants 202 in any case. */
  async: boolean;
  /** The value of `Preference-Applied`; null if no preference was applied. */
  applied: string | null;
}

const WAIT_SECONDS_MAX = 60;

/** Unknown and malformed preferences are ignored, as the RFC demands; `wait` is capped at 60 seconds. */
export function preferenceOf(header: string | undefined, defaultSeconds: number): Preference {
  const preferences = new Map<string, string>();
  for (const part of (header ?? '').split(',')) {
    const [name, value = ''] = (part.split(';')[0] ?? '').split('=').map((text) => text.trim());
    // The first of a name counts (RFC 7240 §2).
    if (name !== undefined && name !== '' && !preferences.has(name.toLowerCase())) {
      preferences.set(name.toLowerCase(), value.replaceAll('"', ''));
    }
  }
  const wait = preferences.get('wait');
  const seconds =
    wait !== undefined && /^\d{1,9}$/.test(wait) ? Math.min(Number(wait), WAIT_SECONDS_MAX) : null;
  if (preferences.has('respond-async')) {
    // With a wait beside it: answer asynchronously, but not before that time (RFC 7240 §4.3).
    return seconds === null
      ? { waitMs: 0, async: true, applied: 'respond-async' }
      : { waitMs: seconds * 1000, async: false, applied: `respond-async, wait=${seconds}` };
  }
  if (seconds !== null) return { waitMs: seconds * 1000, async: false, applied: `wait=${seconds}` };
  return { waitMs: defaultSeconds * 1000, async: false, applied: null };
}
