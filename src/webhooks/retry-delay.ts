/** When a failed message is tried again, as Standard Webhooks proposes. */

/** Multiples of the first wait; with 5 s: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
const steps = [1, 60, 360, 1440, 3600, 7200, 10_080, 14_400, 17_280];
const JITTER = 0.1;

/** Milliseconds to wait after the attempt of that number (from 1) has failed; null where it was the last. */
export function retryDelay(attempt: number, baseMs: number, random = Math.random()): number | null {
  const step = steps[attempt - 1];
  return step === undefined ? null : Math.round(step * baseMs * (1 + JITTER * (2 * random - 1)));
}
