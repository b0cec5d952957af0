/**
 * Turns byte offsets of a streamed text into line and column, without keeping the text: each piece leaves behind only
 * how many lines it ended and how far into the last one it went.
 */

import { isAscii } from 'node:buffer';

const LF = 0x0a;

export class TextPosition {
  #line = 1;
  /** Code points of the current line in the pieces before this one. */
  #columnsBefore = 0;

  /** A byte order mark is counted with its piece although no editor shows it as a column. */
  forgetByteOrderMark(): void {
    this.#columnsBefore -= 1;
  }

  advance(piece: Buffer): void {
    let lineStart = piece.indexOf(LF);
    if (lineStart === -1) {
      this.#columnsBefore += countCodePoints(piece);
      return;
    }
    // A byte loop: in indented JSON a native search per line costs several times as much.
    let lines = 0;
    for (let i = lineStart; i < piece.length; i++) {
      if (piece[i] === LF) {
        lines++;
        lineStart = i;
      }
    }
    this.#line += lines;
    this.#columnsBefore = countCodePoints(piece.subarray(lineStart + 1));
  }

  /**
   * Returns the position of `offset` in the next piece; line and column count from 1. A byte inside a character is
   * located where the character begins.
   */
  locate(piece: Buffer, offset: number, insideCharacter: boolean): { line: number; column: number } {
    const here = new TextPosition();
    here.#line = this.#line;
    here.#columnsBefore = this.#columnsBefore;
    here.advance(piece.subarray(0, offset));
    return { line: here.#line, column: here.#columnsBefore + (insideCharacter ? 0 : 1) };
  }
}

function countCodePoints(bytes: Buffer): number {
  if (isAscii(bytes)) return bytes.length;
  let count = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (((bytes[i] as number) & 0xc0) !== 0x80) count++;
  }
  return count;
}
