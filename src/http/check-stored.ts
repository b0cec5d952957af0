/**
 * Finds values that cannot be stored: U+0000 and lone surrogates in strings and keys, and numbers beyond the range of a double, which
 * JSON.parse reads as Infinity and JSON.stringify would write as null. They get 422 with a pointer before any handler sees them.
 */
import type { FieldError } from '../errors.ts';
import { pointerOf } from './json-pointer.ts';

/** Deeper nesting than any schema of ours has; bounds the recursion. */
const DEPTH_MAX = 100;
const FINDINGS_MAX = 20;

/** Returns the faults of a JSON value, each with its pointer. */
export function storageFaults(value: unknown): FieldError[] {
  const found: FieldError[] = [];
  visit(value, [], found);
  return found;
}

function visit(value: unknown, path: (string | number)[], found: FieldError[]): void {
  if (found.length >= FINDINGS_MAX) return;
  if (typeof value === 'string') {
    const fault = faultOf(value);
    if (fault !== null) found.push({ pointer: pointerOf(path), ...fault });
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value))
      found.push({
        pointer: pointerOf(path),
        code: 'number_out_of_range',
        message: 'The number is out of range: its absolute value must be less than 1.8e308.',
      });
  } else if (typeof value === 'object' && value !== null) {
    if (path.length >= DEPTH_MAX) {
      found.push({ pointer: pointerOf(path), code: 'too_deep', message: `Nested deeper than ${DEPTH_MAX}.` });
      return;
    }
    const entries: Iterable<[string | number, unknown]> = Array.isArray(value)
      ? value.entries()
      : Object.entries(value);
    for (const [key, member] of entries) {
      const fault = typeof key === 'string' ? faultOf(key) : null;
      // The pointer of a key with a fault is its object's: the key itself could not be written down.
      if (fault !== null) found.push({ pointer: pointerOf(path), ...fault });
      path.push(key);
      visit(member, path, found);
      path.pop();
    }
  }
}

function faultOf(text: string): { code: string; message: string } | null {
  if (text.includes('\0')) return { code: 'invalid_text', message: 'U+0000 is not allowed.' };
  if (!text.isWellFormed()) return { code: 'invalid_text', message: 'A lone surrogate is not allowed.' };
  return null;
}
