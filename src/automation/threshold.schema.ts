/** The stock at which an automation of context type 9 runs (contract §5.1). */
import { z } from 'zod';

const Figure = z
  .number()
  .min(-999_999_999)
  .max(999_999_999)
  .meta({ examples: [5] });

export const Threshold = z
  .strictObject({
    figure: z
      .enum(['onHand', 'reserved', 'available', 'onOrder'])
      .meta({ description: 'The sum over all locations of an item.', examples: ['available'] }),
    below: Figure.meta({ description: 'It runs when the figure falls below this.' }),
    rearm: Figure.optional().meta({
      description:
        'It can run again for the item when the figure has risen to this; `below` if absent. A distance keeps a figure that goes up and down from running it again and again.',
      examples: [20],
    }),
  })
  .superRefine(({ below, rearm }, check) => {
    if (rearm !== undefined && rearm < below)
      check.addIssue({ code: 'custom', path: ['rearm'], message: 'must not be less than "below"' });
  })
  .describe('It runs once when the figure of an item crosses the threshold, not while it stays below.')
  .meta({ id: 'AutomationThreshold' });
export type Threshold = z.output<typeof Threshold>;
