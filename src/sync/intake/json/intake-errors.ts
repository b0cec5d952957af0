/**
 * Faults of a sync body as a whole. These are plain errors without HTTP or AppError, because they are thrown in the
 * intake thread and become answers elsewhere.
 */

/** The body is not JSON (400). Lines end with LF; `column` counts code points from 1, as an editor does. */
export class InvalidJsonError extends Error {
  override readonly name = 'InvalidJsonError';
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** The body is JSON, but not an object with one array `entities` (422). `pointer` is an RFC 6901 pointer. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError';
  readonly pointer: string;

  constructor(message: string, pointer: string) {
    super(message);
    this.pointer = pointer;
  }
}

export type IntakeLimit =
  | 'elementsMax'
  | 'elementBytesMax'
  | 'memberBytesMax'
  | 'nestingMax'
  | 'guidElementsMax'
  | 'guidBytesMax';

/** The body is larger, in some respect, than we are willing to read. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
  readonly limit: IntakeLimit;

  constructor(message: string, limit: IntakeLimit) {
    super(message);
    this.limit = limit;
  }
}
