/**
 * Finds where a text stops being JSON, with line and column: V8 names the position only in some of its messages,
 * and a caller who has a megabyte to search needs it in all of them. Runs after JSON.parse has refused the text.
 */
import { AppError } from '../errors.ts';
import type { Slices } from '../fairness/slices.ts';
import { isWhiteSpace } from './json-bytes.ts';
import { JsonFault, unexpected } from './json-fault.ts';
import { JsonValueScanner } from './json-value-scanner.ts';
import { TextPosition } from './text-position.ts';
import { Utf8Check } from './utf8-check.ts';

/** Bytes between two looks at the clock. */
const STEP_BYTES = 16 * 1024;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface PlacedFault {
  message: string;
  /** Lines end with LF, columns count code points: both from 1, as an editor shows them. */
  line: number;
  column: number;
}

/** The first fault of a text by RFC 8259 and RFC 3629; null where there is none. It is nested `depthMax` deep at most. */
export async function locateJsonFault(
  bytes: Buffer,
  depthMax: number,
  slices: Slices,
): Promise<PlacedFault | null> {
  const position = new TextPosition();
  const marked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  if (marked) position.forgetByteOrderMark();
  const utf8 = new Utf8Check();
  const broken = utf8.push(bytes);
  const end = broken === -1 ? bytes.length : broken;
  try {
    await scan(bytes, marked ? BYTE_ORDER_MARK.length : 0, end, { depthMax, slices, whole: broken === -1 });
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const within = ((bytes[error.at] as number) & 0xc0) === 0x80;
    return { message: error.message, ...position.locate(bytes, error.at, within) };
  }
  if (broken === -1 && !utf8.insideSequence) return null;
  const at = broken === -1 ? bytes.length : broken;
  return { message: 'The text is not valid UTF-8', ...position.locate(bytes, at, utf8.insideSequence) };
}

async function scan(
  bytes: Buffer,
  from: number,
  to: number,
  { depthMax, slices, whole }: { depthMax: number; slices: Slices; whole: boolean },
): Promise<void> {
  const scanner = new JsonValueScanner(depthMax);
  scanner.begin();
  let at = from;
  while (at < to && !scanner.done) {
    at = scanner.scan(bytes, at, Math.min(to, at + STEP_BYTES));
    if (slices.areDue) await slices.next();
  }
  if (!scanner.done && whole && !scanner.finishNumber()) {
    throw new JsonFault(to, `Unexpected end of the document ${scanner.place}`);
  }
  for (; at < to; at++) {
    const byte = bytes[at] as number;
    if (!isWhiteSpace(byte)) throw unexpected(at, byte, 'nothing after the end of the document');
  }
}

/** Returns the answer to a text that is not JSON, the same for every call. */
export function invalidJson({ line, column, message }: PlacedFault): AppError {
  return new AppError('invalid_json', {
    detail: `Line ${line}, column ${column}: ${message}`,
    extensions: { line, column },
  });
}
