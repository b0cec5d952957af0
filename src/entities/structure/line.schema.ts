/** The lines of a child in its parent, as the API shows and takes them (contract §2.9). */
import { z } from 'zod';
import { linkLimits } from '../links/link-line.ts';
import { givenBuildFields } from './build-fields.schema.ts';

export const Quantity = z
  .number()
  .describe('Quantity of the child in one parent; at most 9 integer and 6 fractional digits.')
  .meta({ examples: [4] });

/** The fields of one line of a link beside its quantity. */
const lineFields = {
  findNumber: z
    .string()
    .nullable()
    .describe('Item number of the line in the parent; null if it has none.')
    .meta({ examples: ['10'] }),
  referenceDesignators: z
    .array(z.string())
    .describe('Reference designators of the child in the parent: each once, R2 before R10.')
    .meta({ examples: [['R1', 'R2']] }),
  unit: z
    .string()
    .nullable()
    .describe('Unit of the quantity; null if it has none.')
    .meta({ examples: ['m'] }),
  note: z
    .string()
    .nullable()
    .describe('Remark on the line; null if it has none.')
    .meta({ examples: [null] }),
  substitutes: z
    .array(
      z.object({
        guid: z
          .string()
          .describe('GUID of the item.')
          .meta({ examples: ['0f8fad5b-d9cb-469f-a165-70867728950e'] }),
        rank: z
          .int()
          .describe('The lowest comes first.')
          .meta({ examples: [1] }),
        ratio: z
          .number()
          .describe('Quantity that replaces one of the child.')
          .meta({ examples: [1] }),
      }),
    )
    .describe('Items that may be used instead of the child, by rank.')
    .meta({ examples: [[]] }),
  lossPercent: z
    .number()
    .describe('Loss in percent of the quantity, which a build needs in addition.')
    .meta({ examples: [0] }),
  lossFixed: z
    .number()
    .describe('Loss for each order, whatever its size, which a build needs in addition.')
    .meta({ examples: [0] }),
  phantom: z
    .boolean()
    .describe('Whether a build needs the components of the child instead of the child.')
    .meta({ examples: [false] }),
};

/** The fields of a link beside its quantity. */
export const LinkLineFields = {
  ...lineFields,
  lines: z
    .array(z.object({ quantity: Quantity.describe('Quantity of the line.'), ...lineFields }))
    .optional()
    .describe(
      'The lines of the child in the parent, by find number, where it stands in several; otherwise absent. The quantity of the link is then their sum, the designators those of all; the other fields are those of the first line.',
    )
    .meta({ examples: [[]] }),
};

function lineText(charsMax: number, what: string) {
  return z
    .string()
    .max(charsMax)
    .nullish()
    .describe(
      `${what}: at most ${charsMax} characters. Stays where it is absent; null or nothing but blanks takes it away.`,
    )
    .meta({ examples: ['10'] });
}

/** Addresses one line of a child. */
export const LineQuery = z.strictObject({
  line: z
    .string()
    .trim()
    .max(linkLimits.findNumberCharsMax)
    .optional()
    .describe(
      'The find number of one line of the child, empty for the line without one: only this line is meant. Without it the call is about all lines of the child.',
    )
    .meta({ examples: ['20'] }),
});

export const givenLine = {
  findNumber: lineText(linkLimits.findNumberCharsMax, 'Item number of the line in the parent'),
  referenceDesignators: z
    .array(z.string().max(linkLimits.designatorCharsMax))
    .max(linkLimits.designatorsMax)
    .refine(
      (all) => all.reduce((chars, one) => chars + one.length + 1, 0) <= linkLimits.designatorCharsOfAllMax,
      `At most ${linkLimits.designatorCharsOfAllMax} characters in all, one more counted for each.`,
    )
    .nullish()
    .describe(
      `Where the child stands in the parent: at most ${linkLimits.designatorsMax}, each of at most ${linkLimits.designatorCharsMax} characters. Stays where it is absent; null takes all away.`,
    )
    .meta({ examples: [['R1', 'R2']] }),
  unit: lineText(linkLimits.unitCharsMax, 'Unit of the quantity'),
  note: lineText(linkLimits.noteCharsMax, 'Remark on the line'),
  ...givenBuildFields,
};
export const givenQuantity = z
  .number()
  .describe('Quantity of the child in one parent: above 0, at most 9 integer and 6 fractional digits.')
  .meta({ examples: [0.5] });
export const GivenLine = z.strictObject({
  quantity: givenQuantity.describe(
    'Quantity of the line: above 0, at most 9 integer and 6 fractional digits.',
  ),
  ...givenLine,
});
export type GivenLine = z.output<typeof GivenLine>;
