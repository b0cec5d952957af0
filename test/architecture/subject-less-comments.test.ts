/** Holds the number of doc comments that begin without a subject, so that plain English only gains ground. */
import { expect, test } from 'vitest';
import { readSources } from './scan-sources.ts';

/**
 * The number of such openings may not exceed this ceiling. The ceiling may only fall. If you rewrite comments,
 * lower it to the number that the test then finds.
 */
const CEILING = 0;

/** Matches a doc comment that begins with a pronoun, a preposition or a relative clause, in one line or in several. */
const opening =
  /\/\*\*\s*(?:\*\s+)?(?:What|Of|As|By|Where|Those|Who|Whoever|One|Null|None|Nobody|Behind|Beside|The same|For what|In order|In the order|So many|So far|So much|So long|So that|Neither|From now on|From here on)\b[^\n]*/g;

test('doc comments begin with a subject or a verb', () => {
  const found = [...readSources(['src'])].flatMap(([file, text]) =>
    [...text.matchAll(opening)].map(([match]) => `${file}: ${match.replace(/\s*\n\s*\*\s*/, ' ')}`),
  );
  expect(
    found.length,
    `A comment such as "/** What it costs */" has no subject; write "The cost …" or "Returns …". All of them:\n${found.join('\n')}`,
  ).toBeLessThanOrEqual(CEILING);
});
