/** Settings of stock as the API shows and takes them. */
import { z } from 'zod';
import { Day } from '../../http/day.ts';
import { costMethods } from './stock-settings.ts';

const REASONS_MAX = 50;
const HOLIDAYS_MAX = 500;

const OVER_DELIVERY_PERCENT_MAX = 1000;

export const OverDeliveryPercent = z
  .number()
  .min(0)
  .max(OVER_DELIVERY_PERCENT_MAX)
  .multipleOf(0.001)
  .meta({ examples: [5] });

/** Working days, as settings and planning runs state them. */
export const workingDays = {
  weekdays: z
    .array(z.int().min(0).max(6))
    .min(1)
    .max(7)
    .describe('Weekdays that are worked, from 0 (Sunday) to 6 (Saturday). Lead times count working days.')
    .meta({ examples: [[1, 2, 3, 4, 5]] }),
  holidays: z
    .array(Day.describe('A day that is not worked.').meta({ examples: ['2026-12-24'] }))
    .max(HOLIDAYS_MAX)
    .describe(`Days that are not worked, at most ${HOLIDAYS_MAX}.`)
    .meta({ examples: [['2026-12-24']] }),
};

export const StockSettings = z
  .strictObject({
    reserveReceived: z
      .boolean()
      .describe(
        'Whether what is received for a requirement is reserved for it in the same transaction. On in new workspaces.',
      )
      .meta({ examples: [true] }),
    overDeliveryPercent: OverDeliveryPercent.describe(
      'How much more than was ordered may be received of a purchase line, in percent of its quantity; a line may state its own.',
    ),
    adjustmentReasons: z
      .array(
        z
          .string()
          .min(1)
          .max(50)
          .refine((text) => text.trim() === text && !/\p{Cc}/u.test(text), {
            error: 'must not begin or end with white space, nor contain control characters',
          }),
      )
      .max(REASONS_MAX)
      .refine((reasons) => new Set(reasons).size === reasons.length, {
        error: 'must not name a reason twice',
      })
      .describe(
        `Reasons that adjustments may state, up to ${REASONS_MAX}. Where there are some, another reason is refused; where there is none, any is taken.`,
      )
      .meta({ examples: [['scrap', 'found', 'correction', 'sample']] }),
    stockClosedUntil: Day.nullable()
      .describe(
        'The last day for which stock is closed: no movement can state it, or an earlier day, as the day on which it happened. Null: none.',
      )
      .meta({ examples: ['2026-10-31'] }),
    costing: z
      .strictObject({
        method: z.enum(costMethods).meta({
          description:
            '`fifo`: the oldest stock at a location is used first. `average`: what is known of the stock at a location has one cost.',
          examples: ['fifo'],
        }),
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/, { error: 'must be a currency code of three capitals, such as EUR' })
          .meta({ description: 'The currency of all costs. It cannot change.', examples: ['EUR'] }),
      })
      .nullable()
      .describe(
        'How stock is valued; null: not at all. Stock that is there when it begins has no known cost until it is revalued. Once it has begun, it cannot end.',
      ),
    workingDays: z
      .strictObject(workingDays)
      .describe(
        'The days that are worked. Lead times of the reorder list, of promises and of planning runs count them.',
      ),
  })
  .describe('How the workspace keeps stock.')
  .meta({ id: 'StockSettings' });

/** Clients of earlier versions do not know these fields: what they omit stays, so that none of them opens closed days. */
export const NewStockSettings = StockSettings.extend({
  stockClosedUntil: StockSettings.shape.stockClosedUntil
    .optional()
    .describe(
      'The last day for which stock is closed: no movement can state it, or an earlier day, as the day on which it happened. Null: none. If it is omitted, it stays as it is.',
    ),
  costing: StockSettings.shape.costing
    .optional()
    .describe('How stock is to be valued. If it is omitted, it stays as it is.'),
  workingDays: StockSettings.shape.workingDays
    .optional()
    .describe('The days that are worked. If they are omitted, they stay as they are.'),
})
  .describe('How the workspace is to keep stock.')
  .meta({ id: 'NewStockSettings' });
