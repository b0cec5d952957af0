/** Text that a person types and reads in one line: a name, a reference, a code. */
import { z } from 'zod';

/** Line breaks, other control characters, and characters that change the direction of the text around them. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

export const isOneLine = (text: string) => !unfit.test(text);
export const NOT_ONE_LINE =
  'must be one line: without line breaks, control characters and characters that change the direction of text';

/** 1 to `charsMax` characters, without blanks at the ends. */
export const oneLine = (charsMax: number) =>
  z.string().trim().min(1).max(charsMax).refine(isOneLine, { error: NOT_ONE_LINE });
