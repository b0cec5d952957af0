/** The grammar of JSON numbers as states, the value scanner's numbering carried on: a number may be cut anywhere. */

import { JsonFault, unexpected } from './json-fault.ts';

const minus = 11;
const zero = 12;
const integer = 13;
const point = 14;
const fraction = 15;
const exponentMark = 16;
const exponentSign = 17;
const exponent = 18;

export const numberEnded = -1;

/** `byte` is a minus sign or a digit. */
export function beginNumber(byte: number): number {
  if (byte === 0x2d) return minus;
  return byte === 0x30 ? zero : integer;
}

export function isCompleteNumber(state: number): boolean {
  return state === zero || state === integer || state === fraction || state === exponent;
}

/** The state behind a byte of a number; `numberEnded` when the byte no longer belongs to it. */
export function afterNumberByte(state: number, byte: number, at: number): number {
  const isDigit = byte >= 0x30 && byte <= 0x39;
  const isExponentMark = byte === 0x65 || byte === 0x45;
  switch (state) {
    case minus:
      if (!isDigit) throw unexpected(at, byte, 'a digit after "-"');
      return byte === 0x30 ? zero : integer;
    case zero:
      if (isDigit) throw new JsonFault(at, 'A number must not start with 0');
      break;
    case integer:
      if (isDigit) return integer;
      break;
    case point:
      if (!isDigit) throw unexpected(at, byte, 'a digit after the decimal point');
      return fraction;
    case fraction:
      if (isDigit) return fraction;
      return isExponentMark ? exponentMark : numberEnded;
    case exponentMark:
      if (byte === 0x2b || byte === 0x2d) return exponentSign;
      if (!isDigit) throw unexpected(at, byte, 'a digit or a sign in the exponent');
      return exponent;
    case exponentSign:
      if (!isDigit) throw unexpected(at, byte, 'a digit in the exponent');
      return exponent;
    default:
      return isDigit ? exponent : numberEnded;
  }
  if (byte === 0x2e) return point;
  return isExponentMark ? exponentMark : numberEnded;
}
