/** UUIDv7 (RFC 9562) made in the process: rows get their ids before they are written, in index order. */
import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(8192);
let used = pool.length;
let lastMs = 0;
let sequence = 0;

/**
 * A UUIDv7 in lowercase text form. Ids made by one process are strictly increasing: the 12 bits after the
 * version count within the millisecond (method 1 of RFC 9562 §6.2), and the clock is never read backwards.
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    sequence = 0;
  } else if (++sequence > 0xfff) {
    lastMs += 1;
    sequence = 0;
  }
  if (used + 8 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const random = pool.toString('hex', used, used + 8);
  const variant = '89ab'[(pool[used] ?? 0) & 3] as string;
  used += 8;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
}

/** Below every id of that millisecond and after, above every id before it. Times outside 1970 to 10889 are clamped. */
export function firstIdAt(ms: number): string {
  const hex = Math.min(Math.max(0, ms), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

const guidPattern = /^\{?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\}?$/i;

/**
 * The GUID lowercase and without braces, or null when the text is not a GUID. Accepts any case, and braces
 * only as a pair (contract §1.6).
 */
export function normaliseGuid(text: string): string | null {
  if (text.length === 36) return guidPattern.test(text) ? text.toLowerCase() : null;
  if (text.length !== 38 || text[0] !== '{' || text[37] !== '}') return null;
  return guidPattern.test(text) ? text.slice(1, 37).toLowerCase() : null;
}
