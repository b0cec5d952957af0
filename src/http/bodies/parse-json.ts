/**
 * From bytes to a JSON value, without keeping the loop: JSON.parse takes one turn, so what it is given is bounded by the
 * values in it as well as by its bytes. A megabyte of text is parsed in a millisecond, a megabyte of `[],` in a hundred.
 */
import type { FieldError } from '../../errors.ts';
import type { Slices } from '../../fairness/slices.ts';
import { invalidJson, locateJsonFault } from '../../json/locate-json-fault.ts';
import { invalidInput } from './validate-input.ts';

/** Lists, objects and their members, all together: ten thousand adjustments have 50 000. */
const VALUES_MAX = 100_000;
/** Deeper nesting than any schema of ours has. */
const DEPTH_MAX = 100;
/** The largest double has so many digits before the point. */
const DOUBLE_DIGITS_MAX = 308;
/** Steps between two looks at the clock. */
const STEPS = 8192;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export interface ParsedJson {
  value: unknown;
  /**
   * Whether it may contain a value that cannot be stored: a text with an escape (only an escape brings U+0000 and lone surrogates through
   * JSON and UTF-8), or a number with an exponent or more digits than a double has.
   */
  isSuspect: boolean;
}

/** Throws `invalid_json` with line and column, and `validation_failed` for what is too deep or has too many values. */
export async function parseJson(bytes: Buffer, slices: Slices): Promise<ParsedJson> {
  const { fault, hasVastNumbers } = await shapeOf(bytes, slices);
  if (fault !== null) throw invalidInput([fault]);
  if (slices.areDue) await slices.next();
  try {
    const text = utf8.decode(bytes);
    const isSuspect = hasVastNumbers || bytes.includes('\\u');
    if (slices.areDue) await slices.next();
    return { value: JSON.parse(text), isSuspect };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    const fault = await locateJsonFault(bytes, DEPTH_MAX, slices);
    throw fault === null ? error : invalidJson(fault);
  }
}

const code = (char: string) => char.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA] = [code('"'), code('\\'), code(',')];
const [ZERO, NINE, SMALL_E, LARGE_E] = [code('0'), code('9'), code('e'), code('E')];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [code('['), code(']'), code('{'), code('}')];

interface Shape {
  fault: FieldError | null;
  /** A number may exceed the range of a double. */
  hasVastNumbers: boolean;
}

/** Counts values, levels and digits; the syntax is checked later. Stops at the first exceeded bound. */
async function shapeOf(bytes: Buffer, slices: Slices): Promise<Shape> {
  let depth = 0;
  let values = 1;
  let digits = 0;
  let hasVastNumbers = false;
  const faulty = (code: string, message: string): Shape => ({
    fault: { pointer: '', code, message },
    hasVastNumbers,
  });
  for (let at = 0, step = 0; at < bytes.length; at++, step++) {
    if (step % STEPS === 0 && slices.areDue) await slices.next();
    const byte = bytes[at] as number;
    if (byte >= ZERO && byte <= NINE) {
      if (++digits > DOUBLE_DIGITS_MAX) hasVastNumbers = true;
      continue;
    }
    if (digits > 0 && (byte === SMALL_E || byte === LARGE_E)) hasVastNumbers = true;
    digits = 0;
    if (byte === QUOTE) {
      at = bytes.indexOf(QUOTE, at + 1);
      while (at !== -1 && isEscaped(bytes, at)) {
        if (++step % STEPS === 0 && slices.areDue) await slices.next();
        at = bytes.indexOf(QUOTE, at + 1);
      }
      if (at === -1) break;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++;
      depth++;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    else if (byte === COMMA) values++;
    if (depth > DEPTH_MAX) return faulty('too_deep', `Nested deeper than ${DEPTH_MAX}.`);
    if (values > VALUES_MAX) return faulty('too_big', `More than ${VALUES_MAX} values in one body.`);
  }
  return { fault: null, hasVastNumbers };
}

/** An odd number of backslashes before it. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let first = at;
  while (bytes[first - 1] === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}
