/**
 * A search text means all of its words, in any order, each anywhere in the number or the name, whatever their case and accents.
 * A word of one or two characters is looked for at the beginning of words.
 */
import { z } from 'zod';

const TEXT_CHARS_MAX = 255;
const WORDS_MAX = 16;

/** The parameter `q` of a list. */
export const searchText = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(TEXT_CHARS_MAX)
    .refine((text) => wordsOf(text).length > 0, { error: 'must have a word' })
    .refine((text) => wordsOf(text).length <= WORDS_MAX, { error: `must have at most ${WORDS_MAX} words` })
    .optional()
    .meta({ description, examples: [example] });

/** The rule in the words of the API reference. */
export const SEARCH_RULE =
  'All words must be found, in any order, each anywhere in the text; case and accents are ignored. A word of one or two characters must begin a word. `number:` and a number finds exactly that number.';

/** Its words, separated by blanks. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .split(/\s+/)
    .filter((word) => word !== '');
}
