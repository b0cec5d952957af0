/** Positions and the ledger, by item, by location and of the whole workspace (interface, Stock; contract §4.4). */
import { z } from 'zod';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { EntityRef, resolveEntityId } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import type { Answer } from '../http/answer.ts';
import { sendTable } from '../http/answers/send-table.ts';
import { invalidInput } from '../http/bodies/validate-input.ts';
import { ListQuery, listOf } from '../http/list.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import {
  LedgerActor,
  LedgerQuery,
  ListedLedgerEntry,
  LocationLedgerQuery,
  WholeLedgerQuery,
} from './entries/stock.schema.ts';
import {
  type LedgerWanted,
  ledgerPlace,
  listLedger,
  listLedgerActors,
  locationsWithin,
} from './ledger/list-ledger.ts';
import { streamLedger } from './ledger/stream-ledger.ts';
import { exportPositions } from './positions/export-positions.ts';
import {
  listAllPositions,
  listPositions,
  listPositionsWithin,
  listSumsBelow,
} from './positions/list-positions.ts';
import {
  AllPositionsQuery,
  ListedStockPosition,
  PositionsByItemQuery,
  PositionsByLocationQuery,
  StockSum,
} from './positions/positions.schema.ts';
import type { Side } from './positions/positions.sql.ts';

const stock = '/api/wid/{slug}/stock';
const tag = 'Stock';

function positionsBy(side: Side) {
  return defineRoute({
    method: 'get',
    path: `${stock}/positions/by-${side}/{${side}EntityId}`,
    operationId: side === 'item' ? 'listPositionsByItem' : 'listPositionsByLocation',
    tag,
    summary: side === 'item' ? 'List the positions of an item' : 'List the positions at a location',
    description: `In order of ${side === 'item' ? 'locations' : 'items'}' ids. With \`asOf\`, \`effectiveAsOf\`, \`stocked\` or \`below\` a page may be shorter than its limit and still have a next one.`,
    access: 'read',
    transaction: 'glance',
    params: z.strictObject({ [`${side}EntityId`]: EntityRef }),
    query: side === 'item' ? PositionsByItemQuery : PositionsByLocationQuery,
    answers: { 200: { description: 'A page of positions.', schema: listOf(ListedStockPosition) } },
    errors: ['entity_not_found'],
    handle: async ({ params, query }, tx) => {
      const { below, asOf, effectiveAsOf, ...page } = query;
      const location = 'location' in query ? (query.location as EntityRef | undefined) : undefined;
      const entityId = await resolveEntityId(tx, params[`${side}EntityId`] as EntityRef);
      const isPlain = below === 'false' && location === undefined;
      if (effectiveAsOf !== undefined && (asOf !== undefined || !isPlain)) {
        const message = '"effectiveAsOf" cannot be combined with "asOf", "below" or "location".';
        throw invalidInput([{ pointer: '/effectiveAsOf', in: 'query', code: 'invalid', message }]);
      }
      if (isPlain)
        return {
          status: 200,
          body: await listPositions(tx, { side, entityId, asOf, effectiveAsOf, ...page }),
        };
      if (asOf !== undefined) {
        const message = '"asOf" cannot be combined with "below" or "location".';
        throw invalidInput([{ pointer: '/asOf', in: 'query', code: 'invalid', message }]);
      }
      if (side === 'location')
        return { status: 200, body: await listPositionsWithin(tx, { locationId: entityId, below, ...page }) };
      if (location === undefined) throw locationMissing();
      const locationId = await resolveEntityId(tx, location);
      return {
        status: 200,
        body: await listPositionsWithin(tx, { locationId, below, itemId: entityId, ...page }),
      };
    },
  });
}

/** Positions below a location cannot be listed without the location. */
function locationMissing(): AppError {
  const message = '"below" needs "location".';
  return invalidInput([{ pointer: '/below', in: 'query', code: 'required', message }]);
}

const sumsBelow = defineRoute({
  method: 'get',
  path: `${stock}/sums/by-location/{locationEntityId}`,
  operationId: 'listSumsByLocation',
  tag,
  summary: 'Sum the stock of a location and of all locations in it',
  description: "One sum for each item, in order of items' ids.",
  access: 'read',
  transaction: 'glance',
  params: z.strictObject({ locationEntityId: EntityRef }),
  query: ListQuery,
  answers: { 200: { description: 'A page of sums.', schema: listOf(StockSum) } },
  errors: ['entity_not_found'],
  handle: async ({ params, query }, tx) => {
    const locationId = await resolveEntityId(tx, params.locationEntityId);
    return { status: 200, body: await listSumsBelow(tx, locationId, query) };
  },
});

function ledgerBy(side: Side) {
  return defineRoute({
    method: 'get',
    path: `${stock}/ledger/by-${side}/{${side}EntityId}`,
    operationId: side === 'item' ? 'listLedgerByItem' : 'listLedgerByLocation',
    tag,
    summary: side === 'item' ? 'List the movements of an item' : 'List the movements at a location',
    description:
      'Newest first, unless `order=asc`. As CSV all of them are streamed, from the cursor if one is given, regardless of `limit`. With `effectiveFrom` or `effectiveTo` a page may be shorter than its limit and still have a next one.',
    access: 'read',
    transaction: 'none',
    params: z.strictObject({ [`${side}EntityId`]: EntityRef }),
    query: side === 'item' ? LedgerQuery : LocationLedgerQuery,
    answers: {
      200: {
        description: 'A page of entries.',
        schema: listOf(ListedLedgerEntry),
        alternatives: { 'text/csv': 'All entries, one per line, with a header line.' },
      },
    },
    errors: ['entity_not_found', 'not_acceptable', 'too_many_streams', 'tree_too_large'],
    handle: async (call) => {
      const { limit, cursor, below, ...filters }: z.output<typeof LocationLedgerQuery> = {
        below: 'false',
        ...call.query,
      };
      return answerLedger(call, { limit, cursor }, async (tx) => {
        const entityId = await resolveEntityId(tx, call.params[`${side}EntityId`] as EntityRef);
        if (below === 'false') return { by: side, entityId, ...filters };
        return { by: 'within', entityId, locationIds: await locationsWithin(tx, entityId), ...filters };
      });
    },
  });
}

const ledgerOfAll = defineRoute({
  method: 'get',
  path: `${stock}/ledger`,
  operationId: 'listLedger',
  tag,
  summary: 'List the movements of the workspace',
  description:
    'Newest first, unless `order=asc`; all, or those of a line, an order, a booking, a requirement or by a caller. As CSV all of them are streamed, from the ' +
    'cursor on where there is one, whatever `limit` says. With `effectiveFrom` or `effectiveTo` a page may be shorter than its limit and still have a next one.',
  access: 'read',
  transaction: 'none',
  query: WholeLedgerQuery,
  answers: {
    200: {
      description: 'A page of entries.',
      schema: listOf(ListedLedgerEntry),
      alternatives: { 'text/csv': 'All entries, one per line, with a header line.' },
    },
  },
  errors: ['not_acceptable', 'too_many_streams', 'invalid_cursor'],
  handle: async (call) => {
    const { limit, cursor, lineId, requirementId, orderId, bookingId, actorId, ...filters } = call.query;
    const by =
      lineId !== undefined
        ? 'line'
        : requirementId !== undefined
          ? 'requirement'
          : orderId !== undefined
            ? 'order'
            : bookingId !== undefined
              ? 'booking'
              : actorId !== undefined
                ? 'actor'
                : 'all';
    const entityId = lineId ?? requirementId ?? orderId ?? bookingId ?? actorId ?? null;
    return answerLedger(call, { limit, cursor }, async () => ({ by, entityId, ...filters }));
  },
});

const actorsOfLedger = defineRoute({
  method: 'get',
  path: `${stock}/ledger/actors`,
  operationId: 'listLedgerActors',
  tag,
  summary: 'List callers that have moved stock',
  description:
    'Keys, automations and other callers with an entry in the ledger, including revoked and deleted ones, in order of their ids. A page may contain fewer than `limit` and still have a next page, because each looks at a bounded number of callers.',
  access: 'read',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of callers.', schema: listOf(LedgerActor) } },
  errors: ['invalid_cursor'],
  handle: async ({ query }, tx) => ({ status: 200, body: await listLedgerActors(tx, query) }),
});

/** A page, or all of it as CSV, from the cursor on where there is one. */
async function answerLedger(
  call: WorkspaceCall,
  page: { limit: number; cursor?: string | undefined },
  wantedOf: (tx: Tx) => Promise<LedgerWanted>,
): Promise<Answer | null> {
  const { ctx, workspace, req } = call;
  const accepted = req.accepts(['application/json', 'text/csv']);
  if (accepted === false) {
    throw new AppError('not_acceptable', 'The ledger is to be had as application/json or text/csv.');
  }
  const find = <T>(work: (tx: Tx, wanted: LedgerWanted) => Promise<T>) =>
    inTransaction(ctx.db, { workspaceId: workspace.id }, async (tx) => work(tx, await wantedOf(tx)), {
      readOnly: true,
      gone: call.gone,
    });
  if (accepted === 'application/json') {
    return { status: 200, body: await find((tx, wanted) => listLedger(tx, wanted, page)) };
  }
  const wanted = await find(async (_tx, found) => found);
  const behindId = ledgerPlace(wanted, page.cursor);
  const lines = streamLedger(ctx.db, workspace.id, wanted, { behindId }, call.gone);
  return sendTable(call, `ledger${wanted.entityId === null ? '' : `-${wanted.entityId}`}.csv`, lines);
}

const positionsOfAll = defineRoute({
  method: 'get',
  path: `${stock}/positions`,
  operationId: 'listPositions',
  tag,
  summary: 'List the positions of the workspace',
  description:
    'In order of items and locations; with `location`, in order of locations and items. A page may contain fewer positions than `limit` and still have a next page, because each looks at a bounded number.',
  access: 'read',
  transaction: 'read',
  query: AllPositionsQuery,
  answers: { 200: { description: 'A page of positions.', schema: listOf(ListedStockPosition) } },
  errors: ['invalid_cursor', 'entity_not_found'],
  handle: async ({ query }, tx) => {
    const { location, below, ...page } = query;
    if (location === undefined) {
      if (below === 'true') throw locationMissing();
      return { status: 200, body: await listAllPositions(tx, page) };
    }
    const locationId = await resolveEntityId(tx, location);
    return { status: 200, body: await listPositionsWithin(tx, { locationId, below, ...page }) };
  },
});

const downloadPositions = defineRoute({
  method: 'get',
  path: `${stock}/positions/export`,
  operationId: 'exportPositions',
  tag,
  summary: 'Download positions as CSV',
  description:
    'All positions of the workspace, or the matching ones, in order of items and locations. Texts that look like formulas are prefixed with an apostrophe. The download is not a snapshot of one moment: each page is read when its turn comes. It ends when its key is revoked.',
  access: 'read',
  transaction: 'none',
  query: AllPositionsQuery.pick({ q: true, short: true, countedBefore: true, location: true, below: true }),
  answers: {
    200: {
      description: 'The table.',
      alternatives: { 'text/csv': 'One position per line, with a header line.' },
    },
  },
  errors: ['not_acceptable', 'too_many_streams', 'entity_not_found'],
  handle: async (call) => {
    const { ctx, req, workspace, query, gone } = call;
    if (req.accepts('text/csv') === false)
      throw new AppError('not_acceptable', 'The table is to be had as text/csv.');
    const { location, ...filters } = query;
    if (location === undefined && filters.below === 'true') throw locationMissing();
    const locationId =
      location === undefined
        ? undefined
        : await inTransaction(ctx.db, { workspaceId: workspace.id }, (tx) => resolveEntityId(tx, location), {
            readOnly: true,
            gone,
          });
    const lines = exportPositions(ctx.db, workspace.id, { ...filters, locationId }, gone);
    return sendTable(call, `positions-${workspace.slug}.csv`, lines);
  },
});

export const stockListRoutes: readonly AnyRoute[] = [
  positionsOfAll,
  downloadPositions,
  ledgerOfAll,
  actorsOfLedger,
  positionsBy('item'),
  positionsBy('location'),
  sumsBelow,
  ledgerBy('item'),
  ledgerBy('location'),
];
