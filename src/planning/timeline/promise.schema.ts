/** The answer to the question by when a quantity of an item can be promised (contract §4.15). */
import { z } from 'zod';
import { EntityId, EntityName, EntityNumber } from '../../entities/entities.schema.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { amount } from '../../procurement/records/schemas/text.schema.ts';
import { exceptionNames } from '../netting/plan-actions.ts';
import { RunId } from '../runs/planning-run.schema.ts';

/** Days from today that are looked at, and orders and items that are shown. */
export const PROMISE_DAYS_MAX = 365;
export const PROMISE_ORDERS_MAX = 100;
export const PROMISE_ITEMS_MAX = 100;

export const PromiseParams = z.strictObject({ id: EntityRef.describe('The item.') });

export const PromiseQuery = z.strictObject({
  // A number that is missing is not one that is wrong.
  quantity: z.preprocess(
    (text) => (text === undefined || text === '' ? undefined : Number(text)),
    z
      .number()
      .describe('Quantity in the base unit, above 0. At most 9 integer and 6 fractional digits.')
      .meta({ examples: [10] }),
  ),
});

const date = (what: string) =>
  z.iso
    .date()
    .describe(what)
    .meta({ examples: ['2026-12-24'] });

export const Promised = z
  .object({
    itemEntityId: EntityId,
    itemNumber: EntityNumber,
    itemName: EntityName,
    quantity: amount('The quantity that was asked for.', 10),
    day: date('Today (UTC), from which it is calculated.'),
    planningRun: z
      .object({
        id: RunId,
        day: date('The day of the run.'),
        horizonEndsOn: date('The last day that it planned: needs of others beyond it are not known.'),
      })
      .nullable()
      .describe(
        'The newest planning run of the whole workspace, on whose orders the promise rests: the item, or a component, is part of more others than are planned at once, so that the orders that the run found for these stand for what they need. Null: all of it is planned anew.',
      ),
    availableOn: date(
      'The first day on which stock and open order lines have it, and all other needs keep theirs (available to promise); null: not within a year.',
    ).nullable(),
    capableOn: date(
      'The first day on which it can be there if `orders` are placed today or when they start, and nothing else comes later by it (capable to promise); null: not within a year, or the item is not planned.',
    ).nullable(),
    orders: z
      .array(
        z.object({
          itemEntityId: EntityId,
          itemNumber: EntityNumber,
          action: z.enum(['order', 'make']).describe('Whether it is bought or made.'),
          quantity: amount('Quantity beyond that of the plan without it.', 10),
          startsOn: date('When to order or to begin.'),
          neededOn: date('When it is needed.'),
          exceptions: z
            .array(z.enum(exceptionNames))
            .describe('What makes its date uncertain, such as `noLeadTime`: it is taken as 0 days.'),
        }),
      )
      .describe(
        `What \`capableOn\` takes, by date: at most ${PROMISE_ORDERS_MAX}; empty if it is available by then.`,
      ),
    withoutLeadTimeCount: z
      .int()
      .describe(
        'The number of items that `capableOn` orders or makes and that have no lead time: it is taken as 0 days, so the day may be too early.',
      )
      .meta({ examples: [1] }),
    withoutLeadTime: z
      .array(z.object({ itemEntityId: EntityId, itemNumber: EntityNumber }))
      .describe(`These items, by the dates of their orders: at most ${PROMISE_ITEMS_MAX}.`),
  })
  .describe('By when a quantity of an item can be promised.')
  .meta({ id: 'PlanningPromise' });
export type Promised = z.infer<typeof Promised>;
