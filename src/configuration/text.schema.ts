/** Names and keys as configuration takes them: text that a person can read in one line. */
import { z } from 'zod';

/** Control characters are never meant in one line. (U+0000 and lone surrogates never get this far.) */
const controls = /\p{Cc}/u;

const line = (charsMax: number) =>
  z
    .string()
    .min(1)
    .max(charsMax)
    .refine((text) => !controls.test(text), { error: 'must not contain control characters' })
    .refine((text) => text.trim() === text, { error: 'must not begin or end with white space' });

/** A name for people, 1 to 255 characters, one line. */
export const Name = line(255);

/**
 * A key that the API addresses, 1 to 255 characters, case-sensitive. Any text will do, since connectors
 * bring their own (`Mass (kg)`, `__proto__`), but for the two that a URL swallows.
 */
export const Key = line(255).refine((text) => text !== '.' && text !== '..', {
  error: 'must not be "." or "..": no URL can address it',
});

/** The key in a path: any text is taken, and an unknown key is a 404. */
export const KeyParams = z.object({
  key: z
    .string()
    .describe('Key, case-sensitive; percent-encode it where a URL requires it.')
    .meta({ examples: ['part'] }),
});
