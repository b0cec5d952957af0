/** Patterns of text properties: regular expressions whose time grows with the text alone, because connectors send a million texts. */
import { RE2JS } from 're2js';

const compiled = new Map<string, RE2JS | null>();
const COMPILED_MAX = 1000;

/** Returns null for a text that is no regular expression of RE2. */
export function compilePattern(pattern: string): RE2JS | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= COMPILED_MAX) compiled.clear();
  const made = compile(pattern);
  compiled.set(pattern, made);
  return made;
}

function compile(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return null;
  }
}

/** Whether all of the text matches. A pattern that was valid once and is no more matches everything. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compilePattern(pattern)?.matches(text) ?? true;
}
