/** The fields of a link that builds use, as calls and payloads take them (contract §4.8). */
import { z } from 'zod';
import { microOfNumber } from '../../quantity.ts';
import { linkLimits } from '../links/link-line.ts';

const micro = (value: number) => microOfNumber(value) !== null;
const millionths = 'must have at most 9 integer and 6 fractional digits';

/** The fields of a link that builds use, as calls take them. */
export const givenBuildFields = {
  substitutes: z
    .array(
      z.strictObject({
        guid: z
          .guid()
          .describe('GUID of the item; it need not exist yet.')
          .meta({ examples: ['0f8fad5b-d9cb-469f-a165-70867728950e'] }),
        rank: z
          .int()
          .min(1)
          .max(linkLimits.substituteRankMax)
          .optional()
          .describe('The lowest comes first; by default its place in the list.')
          .meta({ examples: [1] }),
        ratio: z
          .number()
          .positive()
          .refine(micro, { error: millionths })
          .default(1)
          .describe('Quantity that replaces one of the child.')
          .meta({ examples: [1] }),
      }),
    )
    .max(linkLimits.substitutesMax)
    .nullish()
    .describe(
      `Items that may be used instead of the child, at most ${linkLimits.substitutesMax}. Stays where it is absent; null takes all away.`,
    )
    .meta({ examples: [[]] }),
  lossPercent: z
    .number()
    .min(0)
    .max(linkLimits.lossPercentMax)
    .refine(micro, { error: millionths })
    .nullish()
    .describe('Loss in percent of the quantity. Stays where it is absent; null takes it away.')
    .meta({ examples: [0] }),
  lossFixed: z
    .number()
    .min(0)
    .refine(micro, { error: millionths })
    .nullish()
    .describe('Loss for each order, whatever its size. Stays where it is absent; null takes it away.')
    .meta({ examples: [0] }),
  phantom: z
    .boolean()
    .nullish()
    .describe('Whether builds need the components of the child instead of it. Stays where it is absent.')
    .meta({ examples: [false] }),
};
