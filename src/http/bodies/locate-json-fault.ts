/**
 * Where a text stops being JSON. V8 names the position only in some of its messages, and a caller who has
 * a megabyte to search needs line and column in all of them. Runs only after JSON.parse has refused.
 */

import type { Slices } from '../../slices.ts';

/** Steps between two looks at the clock. */
const STEPS = 1024;

export interface JsonFault {
  /** From 1; columns count UTF-16 code units. */
  line: number;
  column: number;
  /** What was expected there, in words. */
  expected: string;
}

type Expectation =
  | 'value'
  | 'value or "]"'
  | 'key or "}"'
  | 'key'
  | '":"'
  | '"," or "]"'
  | '"," or "}"'
  | 'end';

/** The first fault of a text by RFC 8259; null where there is none. */
export async function locateJsonFault(text: string, slices: Slices): Promise<JsonFault | null> {
  const open: ('[' | '{')[] = [];
  let expected: Expectation = 'value';
  let at = 0;
  const afterValue = (): Expectation =>
    open.length === 0 ? 'end' : open.at(-1) === '[' ? '"," or "]"' : '"," or "}"';

  for (let step = 1; ; step++) {
    if (step % STEPS === 0 && slices.areDue) await slices.next();
    while (at < text.length && ' \t\n\r'.includes(text[at] as string)) at++;
    const char = text[at];
    if (char === undefined) return expected === 'end' ? null : faultAt(text, at, expected);
    const closes: boolean =
      (char === ']' && (expected === 'value or "]"' || expected === '"," or "]"')) ||
      (char === '}' && (expected === 'key or "}"' || expected === '"," or "}"'));
    if (closes) {
      open.pop();
      expected = afterValue();
      at++;
    } else if (expected === '":"') {
      if (char !== ':') return faultAt(text, at, expected);
      expected = 'value';
      at++;
    } else if (expected === '"," or "]"' || expected === '"," or "}"') {
      if (char !== ',') return faultAt(text, at, expected);
      expected = expected === '"," or "]"' ? 'value' : 'key';
      at++;
    } else if (expected === 'key' || expected === 'key or "}"') {
      if (char !== '"') return faultAt(text, at, expected);
      const end = endOfString(text, at);
      if (end.fault !== null) return faultAt(text, end.at, end.fault);
      at = end.at;
      expected = '":"';
    } else if (expected === 'end') {
      return faultAt(text, at, expected);
    } else if (char === '[' || char === '{') {
      open.push(char);
      expected = char === '[' ? 'value or "]"' : 'key or "}"';
      at++;
    } else {
      const end = char === '"' ? endOfString(text, at) : endOfLiteral(text, at);
      if (end.fault !== null) return faultAt(text, end.at, end.fault);
      at = end.at;
      expected = afterValue();
    }
  }
}

interface End {
  at: number;
  fault: string | null;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what ends it
const plain = /[^"\\\u0000-\u001f]+/y;

function endOfString(text: string, start: number): End {
  let at = start + 1;
  for (;;) {
    const char = text[at];
    if (char === undefined) return { at, fault: 'the closing quote of a string' };
    if (char === '"') return { at: at + 1, fault: null };
    if (char < ' ') return { at, fault: 'an escape: control characters do not stand in strings' };
    if (char !== '\\') {
      plain.lastIndex = at;
      plain.test(text);
      at = plain.lastIndex;
    } else if (text[at + 1] === 'u') {
      if (!/^[0-9a-f]{4}$/i.test(text.slice(at + 2, at + 6))) {
        return { at, fault: 'four hexadecimal digits after \\u' };
      }
      at += 6;
    } else if (text[at + 1] !== undefined && '"\\/bfnrt'.includes(text[at + 1] as string)) {
      at += 2;
    } else {
      return { at, fault: 'a valid escape' };
    }
  }
}

function endOfLiteral(text: string, start: number): End {
  const literal = /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.+-])/y;
  literal.lastIndex = start;
  return literal.test(text) ? { at: literal.lastIndex, fault: null } : { at: start, fault: 'a JSON value' };
}

function faultAt(text: string, at: number, expected: string): JsonFault {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) {
    line++;
    lineStart = end + 1;
  }
  const words: Record<string, string> = { end: 'nothing more', value: 'a value', key: 'a key in quotes' };
  return { line, column: at - lineStart + 1, expected: words[expected] ?? expected };
}
