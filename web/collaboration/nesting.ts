/** Tells text that is read as Markdown from text that is nested so deep that reading it would keep the browser busy for seconds. */

/** Quotes, lists and brackets in one another. */
const NESTED_MAX = 20;
/** Marks of emphasis in a row: longer than any line that people draw with them. */
const MARKS_MAX = 200;

const BLOCKS = new RegExp(`^(?:[ \\t]*(?:>|[*+-][ \\t]|\\d{1,9}[.)][ \\t])){${NESTED_MAX + 1}}`, 'm');
const MARKS = new RegExp(`[*_~=]{${MARKS_MAX + 1}}`);

/** A text of which this is true is shown as it was written. */
export function isNestedDeep(text: string): boolean {
  if (BLOCKS.test(text) || MARKS.test(text)) return true;
  let depth = 0;
  for (const char of text) {
    if (char === '[') depth++;
    else if (char === ']') depth = Math.max(0, depth - 1);
    if (depth > NESTED_MAX) return true;
  }
  return false;
}
