/** Small questions about single bytes of JSON text, asked by both the value scanner and the splitters. */

export function isWhiteSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

export function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

/** The escapes of one character: " \ / b f n r t */
export function isSimpleEscape(byte: number): boolean {
  switch (byte) {
    case 0x22:
    case 0x5c:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return true;
    default:
      return false;
  }
}

/** Empty when no literal starts so. */
export function literalStartingWith(byte: number): '' | 'true' | 'false' | 'null' {
  if (byte === 0x74) return 'true';
  if (byte === 0x66) return 'false';
  return byte === 0x6e ? 'null' : '';
}

/** Whether the ASCII text stands at `from`; the caller knows that there are enough bytes. */
export function isText(bytes: Uint8Array, from: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (bytes[from + i] !== text.charCodeAt(i)) return false;
  }
  return true;
}
