/** `/exchange-rates`: the dated rates of the workspace (contract §4.16). Nothing is fetched from outside. */
import { requireMatch } from '../../http/entity-tag.ts';
import { listOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import {
  ExchangeRate,
  ExchangeRateParams,
  ExchangeRateQuery,
  NewExchangeRate,
} from './exchange-rates.schema.ts';
import { listRates, removeRate, setRate } from './exchange-rates.ts';

const tag = 'Procurement';
const collection = '/api/wid/{slug}/exchange-rates';
const member = `${collection}/{from}/{to}/{validFrom}`;

const getRates = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listExchangeRates',
  tag,
  summary: 'List exchange rates',
  description: 'By currency, the currency that it is converted into, and the first day of the rate.',
  access: 'read',
  transaction: 'read',
  query: ExchangeRateQuery,
  answers: { 200: { description: 'A page of rates.', schema: listOf(ExchangeRate) } },
  errors: ['invalid_cursor'],
  handle: async ({ query }, tx) => ({ status: 200, body: await listRates(tx, query) }),
});

const putRate = defineRoute({
  method: 'put',
  path: member,
  operationId: 'setExchangeRate',
  tag,
  summary: 'Set an exchange rate from a day on',
  description:
    'A rate applies until the next one begins. It converts in both directions; of a rate in each direction the newer one applies. The audit trail keeps the previous value.',
  access: 'procurement',
  transaction: 'write',
  params: ExchangeRateParams,
  body: NewExchangeRate,
  answers: { 200: { description: 'The rate.', schema: ExchangeRate } },
  errors: ['configuration_full', 'read_only_field'],
  handle: async (call, tx) => {
    const { actor, ctx, params, body } = call;
    requireAsRead(NewExchangeRate, body, { ...params, rate: body.rate });
    const wanted = { key: params, rate: body.rate, ratesMax: ctx.config.EXCHANGE_RATES_MAX };
    const { rate, version } = await setRate(tx, actor, wanted, (known) => requireMatch(call, String(known)));
    return { status: 200, body: rate, etag: String(version) };
  },
});

const deleteRate = defineRoute({
  method: 'delete',
  path: member,
  operationId: 'deleteExchangeRate',
  tag,
  summary: 'Delete an exchange rate',
  description: 'The rate before it applies again.',
  access: 'procurement',
  transaction: 'write',
  params: ExchangeRateParams,
  answers: { 204: { description: 'It is deleted.' } },
  errors: ['exchange_rate_not_found'],
  handle: async (call, tx) => {
    const { actor, params } = call;
    await removeRate(tx, actor, params, (version) => requireMatch(call, String(version)));
    return { status: 204 };
  },
});

export const exchangeRateRoutes: readonly AnyRoute[] = [getRates, putRate, deleteRate];
