/** Forecasts as the API takes and shows them (contract §4.15). */
import { z } from 'zod';
import { EntityId, EntityName, EntityNumber } from '../../entities/entities.schema.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { Day } from '../../http/day.ts';
import { ListQuery } from '../../http/list.ts';
import { amount } from '../../procurement/records/schemas/text.schema.ts';

/** Forecasts that one call sets. */
const FORECASTS_AT_ONCE = 500;

const day = (what: string) => Day.describe(what).meta({ examples: ['2027-01-01'] });

const from = day('The first day of the span. An item has one forecast that begins on a day.');
const until = day('The last day of the span. Spans of an item do not overlap.');

export const Forecast = z
  .object({
    itemEntityId: EntityId,
    itemNumber: EntityNumber,
    itemName: EntityName,
    from,
    until,
    quantity: amount('Quantity in the base unit that is expected to be sold in the span.', 100),
  })
  .meta({ id: 'Forecast' });
export type Forecast = z.output<typeof Forecast>;

export const NewForecast = z.strictObject({
  itemEntityId: EntityRef.describe('The item.'),
  from,
  until,
  quantity: z
    .number()
    .describe('Quantity in the base unit, above 0. At most 9 integer and 6 fractional digits.')
    .meta({ examples: [100] }),
});
export type NewForecast = z.output<typeof NewForecast>;

export const NewForecasts = z
  .strictObject({
    forecasts: z
      .array(NewForecast)
      .min(1)
      .max(FORECASTS_AT_ONCE)
      .describe(`The forecasts, at most ${FORECASTS_AT_ONCE}.`),
  })
  .meta({ id: 'NewForecasts' });

export const ForecastParams = z.strictObject({
  itemEntityId: EntityRef.describe('The item.'),
  from: day('The first day of the span.'),
});

export const ForecastQuery = ListQuery.extend({
  item: EntityRef.optional().describe('Only forecasts of this item.'),
});
export type ForecastQuery = z.output<typeof ForecastQuery>;
