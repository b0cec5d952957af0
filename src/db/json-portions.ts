/**
 * Rows as JSON arrays for one statement each. A single text of all of them may become longer than a string of V8 can be
 * (512 MiB), or than a value of PostgreSQL can: callers choose the size of events, results and logs.
 */

const MiB = 1024 * 1024;
const CHARS_MAX = 16 * MiB;

export interface JsonPortion {
  /** A JSON array. */
  json: string;
  rows: number;
}

/** Cuts before a portion exceeds `charsMax`; a row that is larger by itself is a portion of its own. */
export function* jsonPortions(rows: Iterable<object>, charsMax = CHARS_MAX): Generator<JsonPortion> {
  let texts: string[] = [];
  let chars = 0;
  const cut = (): JsonPortion => {
    const portion = { json: `[${texts.join(',')}]`, rows: texts.length };
    texts = [];
    chars = 0;
    return portion;
  };
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (texts.length > 0 && chars + text.length > charsMax) yield cut();
    texts.push(text);
    chars += text.length + 1;
  }
  if (texts.length > 0) yield cut();
}
