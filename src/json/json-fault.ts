/**
 * How the scanners report a broken byte to the splitters, which alone know its line, and how that byte is described.
 */

export class JsonFault extends Error {
  /** Offset into the bytes being scanned. */
  readonly at: number;
  /** Not invalid, only nested deeper than we read. */
  readonly tooDeep: boolean;

  constructor(at: number, message: string, tooDeep = false) {
    super(message);
    this.at = at;
    this.tooDeep = tooDeep;
  }
}

export function unexpected(at: number, byte: number, expected: string): JsonFault {
  return new JsonFault(at, `Unexpected ${describe(byte)}: expected ${expected}`);
}

function describe(byte: number): string {
  if (byte === 0x22) return 'double quote';
  if (byte > 0x20 && byte < 0x7f) return `"${String.fromCharCode(byte)}"`;
  if (byte >= 0x80) return 'character outside ASCII';
  return `character U+${byte.toString(16).toUpperCase().padStart(4, '0')}`;
}

export function controlCharacter(at: number, byte: number): JsonFault {
  const name = byte === 0x0a || byte === 0x0d ? 'line break' : describe(byte);
  return new JsonFault(at, `Unexpected ${name} inside a string: control characters must be escaped`);
}
