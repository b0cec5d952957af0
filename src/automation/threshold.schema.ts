/** The condition at which an automation of context type 9 runs (contract §5.1). */
import { z } from 'zod';
import { ViewId } from '../entities/views/view.schema.ts';

const Figure = z
  .number()
  .min(-999_999_999)
  .max(999_999_999)
  .meta({ examples: [5] });

export const Threshold = z
  .strictObject({
    figure: z
      .enum(['onHand', 'reserved', 'available', 'onOrder'])
      .exactOptional()
      .meta({ description: 'The sum over all locations of an item.', examples: ['available'] }),
    view: ViewId.exactOptional().meta({
      description:
        'Instead of `figure`: id of a saved view of `entities`, whose entities are counted about once a minute.',
    }),
    below: Figure.exactOptional().meta({ description: 'It runs when the value falls below this.' }),
    above: Figure.exactOptional().meta({
      description: 'Instead of `below`: it runs when the value rises above this.',
    }),
    rearm: Figure.exactOptional().meta({
      description:
        'It can run again, for an item or for the view, when the value has come back to this; the threshold itself if absent. A distance keeps a value that goes up and down from running it again and again.',
      examples: [20],
    }),
  })
  .superRefine(({ figure, view, below, above, rearm }, check) => {
    const refuse = (path: string, message: string) =>
      check.addIssue({ code: 'custom', path: [path], message });
    if ((figure === undefined) === (view === undefined)) refuse('figure', 'needs either "figure" or "view"');
    if ((below === undefined) === (above === undefined)) refuse('below', 'needs either "below" or "above"');
    if (rearm === undefined) return;
    if (below !== undefined && rearm < below) refuse('rearm', 'must not be less than "below"');
    if (above !== undefined && rearm > above) refuse('rearm', 'must not be more than "above"');
  })
  .describe('It runs once when the value crosses the threshold, not while it stays beyond it.')
  .meta({ id: 'AutomationThreshold' });
export type Threshold = z.output<typeof Threshold>;

export const ThresholdStatus = z
  .object({
    count: z
      .int()
      .nullable()
      .meta({ description: 'The last count; null if there is none.', examples: [3] }),
    isCrossed: z
      .boolean()
      .meta({ description: 'Whether the count is beyond the threshold and has not come back since.' }),
    at: z.iso.datetime().meta({ description: 'When it was counted, UTC.' }),
    error: z.string().nullable().meta({
      description: 'Why the view cannot be counted, such as a view that was deleted; null if it can.',
    }),
  })
  .meta({ id: 'AutomationThresholdStatus' });
export type ThresholdStatus = z.output<typeof ThresholdStatus>;

/**
 * Says whether the value is beyond the threshold, given whether it was so far: it stays beyond until it has come back to the point at which
 * the automation is armed again.
 */
export function isBeyond(
  { below, above, rearm }: Pick<Threshold, 'below' | 'above' | 'rearm'>,
  value: number,
  wasBeyond: boolean,
): boolean {
  if (below !== undefined) return value < (wasBeyond ? (rearm ?? below) : below);
  return above !== undefined && value > (wasBeyond ? (rearm ?? above) : above);
}
