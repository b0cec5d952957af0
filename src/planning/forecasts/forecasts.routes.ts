/** `/planning/forecasts`: what is expected to be sold of items (contract §4.15). */
import { z } from 'zod';
import { listOf } from '../../http/list.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { Forecast, ForecastParams, ForecastQuery, NewForecasts } from './forecasts.schema.ts';
import { listForecasts, removeForecast, setForecasts } from './forecasts.ts';

const tag = 'Procurement';
const collection = '/api/wid/{slug}/planning/forecasts';

const getForecasts = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listForecasts',
  tag,
  summary: 'List forecasts',
  description: 'By item, and by the first day of the span.',
  access: 'read',
  transaction: 'read',
  query: ForecastQuery,
  answers: { 200: { description: 'A page of forecasts.', schema: listOf(Forecast) } },
  errors: ['invalid_cursor', 'entity_not_found'],
  handle: async ({ query }, tx) => ({ status: 200, body: await listForecasts(tx, query) }),
});

const postForecasts = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'setForecasts',
  tag,
  summary: 'Set forecasts of items: all or none',
  description:
    'A forecast of the same item and first day is replaced. Planning runs need what sales lines of the span leave of it, on its first day. The audit trail keeps the previous values.',
  access: 'procurement',
  transaction: 'write',
  body: NewForecasts,
  answers: {
    200: { description: 'The forecasts, by item and day.', schema: z.object({ items: z.array(Forecast) }) },
  },
  errors: [
    'entity_not_found',
    'entity_archived',
    'not_an_item',
    'quantity_out_of_range',
    'configuration_full',
  ],
  handle: async ({ actor, ctx, body: { forecasts } }, tx) => {
    const forecastsMax = ctx.config.FORECASTS_MAX;
    return { status: 200, body: { items: await setForecasts(tx, actor, { forecasts, forecastsMax }) } };
  },
});

const deleteForecast = defineRoute({
  method: 'delete',
  path: `${collection}/{itemEntityId}/{from}`,
  operationId: 'deleteForecast',
  tag,
  summary: 'Delete a forecast',
  access: 'procurement',
  transaction: 'write',
  params: ForecastParams,
  answers: { 204: { description: 'It is deleted.' } },
  errors: ['entity_not_found', 'forecast_not_found'],
  handle: async ({ actor, params }, tx) => {
    await removeForecast(tx, actor, params);
    return { status: 204 };
  },
});

export const forecastRoutes: readonly AnyRoute[] = [getForecasts, postForecasts, deleteForecast];
