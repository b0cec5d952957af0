/** `/stock/lines`: making lines of orders and moving stock by them (contract §4.5). */
import { requireMatch, tagOfContent } from '../http/entity-tag.ts';
import { listOf } from '../http/list.ts';
import { requireAsRead } from '../http/read-only.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { moneyGiven } from '../money/money.ts';
import type { LedgerEntry } from '../stock/entries/ledger-entry.ts';
import { lotsWanted } from '../stock/movements/lot-shares.ts';
import { changeLine } from './lines/change-line.ts';
import { endLine } from './lines/end-lines.ts';
import { showEntries } from './lines/line-entries.ts';
import { listLines } from './lines/list-lines.ts';
import { findLine } from './records/find-procured.ts';
import { amountOfCall, dayOfCall, readingIn } from './records/given-amounts.ts';
import { promisesGiven } from './records/given-promises.ts';
import type { Line } from './records/line.ts';
import type { LineAct } from './records/line-acts.ts';
import {
  LineEnd,
  LineMoved,
  LineMovement,
  LineParams,
  LineQuery,
  LineReservation,
  LineShipment,
  NewStockLine,
  StockLine,
  StockLinePatch,
} from './records/lines.schema.ts';
import { lineChangeErrors, lineErrors, lineMakingErrors } from './records/procurement-errors.ts';
import { showLine } from './records/show-procurement.ts';
import { givenSupplier } from './records/suppliers/supplier-key.ts';

const collection = '/api/wid/{slug}/stock/lines';
const member = `${collection}/{id}`;
const tag = 'Procurement';

const getLines = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listStockLines',
  tag,
  summary: 'List stock lines',
  description:
    'In order of creation, or by required date. A line must match all filters. With `supplier`, a date, `overdue`, several filters or `sort=requiredBy`, a page may contain fewer items than `limit`, even none, although there are more: `nextCursor` is null only on the last page.',
  access: 'read',
  transaction: 'read',
  query: LineQuery,
  answers: { 200: { description: 'A page of lines.', schema: listOf(StockLine) } },
  errors: ['entity_not_found'],
  handle: async ({ query }, tx) => ({ status: 200, body: await listLines(tx, query) }),
});

const postLine = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createStockLine',
  tag,
  summary: 'Create a stock line',
  description:
    'Creates the line, its order if none is named, and its ledger entry: OnOrderAdd for an Ordered line, SOReservation for a Reserved one, none for a Draft. If stock or the requirement is insufficient, nothing is created.',
  access: 'procurement',
  // Callers of the same time share a transaction, and their keys are recorded in it.
  transaction: 'none',
  idempotent: true,
  body: NewStockLine,
  answers: { 201: { description: 'The line and its entries.', schema: LineMoved } },
  errors: [...lineMakingErrors, 'stock_busy'],
  handle: async (call) => {
    const { ctx, actor, body, workspace, idempotency } = call;
    const { itemEntityId: item, locationEntityId: location, requirementId, ...rest } = body;
    const { requiredBy, state, note, overDeliveryPercent, allowBackorder, supplierPartId, currency } = rest;
    const line = {
      item,
      location,
      requirement: requirementId,
      requiredBy,
      state,
      note,
      overDeliveryPercent,
      allowBackorder,
      supplierPartId,
      price: moneyGiven(rest.price),
      currency,
    };
    return ctx.procurement.newLines.make({
      workspaceId: workspace.id,
      idempotency,
      by: ctx.moverOf(actor),
      type: body.type,
      order: body.orderId ?? null,
      supplier: givenSupplier(body),
      give: async (reading) => {
        const given = await amountOfCall(reading, { ...body, subject: { item } });
        return { lines: [{ ...line, ...given }] };
      },
      isList: false,
      show: ({ lines: [created] }) => ({
        status: 201,
        headers: { Location: `/api/wid/${workspace.slug}/stock/lines/${created?.line.id}` },
        body: showMoved(actor, created),
      }),
    });
  },
});

const patchLine = defineRoute({
  method: 'patch',
  path: member,
  operationId: 'updateStockLine',
  tag,
  summary: 'Change the quantity, date, promises or price of a line',
  description:
    'Possible while the line is open. On-order or reserved quantities follow by the difference (OnOrderAdd, OnOrderRelease, SOReservation, SORelease), and so does its requirement; a draft holds nothing. A line with nothing open becomes Received or Shipped. The audit trail keeps the previous values. What a manufacturing line requires of its components follows; a smaller one releases what it held beyond that. A purchase line keeps its price when its quantity changes. A body that changes nothing writes nothing.',
  access: 'procurement',
  transaction: 'write',
  params: LineParams,
  body: StockLinePatch,
  answers: { 200: { description: 'The changed line.', schema: StockLine } },
  errors: lineChangeErrors,
  handle: async (call, tx) => {
    const { ctx, actor, params, body } = call;
    const { quantity, requiredBy, overDeliveryPercent, currency, note = null } = body;
    const subject = { line: params.id, closes: false };
    const given =
      quantity === undefined
        ? { amount: undefined }
        : await amountOfCall(readingIn(tx), { ...body, quantity, subject });
    const wanted = {
      line: params.id,
      ...given,
      requiredBy,
      promises: promisesGiven(body.promises),
      overDeliveryPercent,
      price: moneyGiven(body.price),
      currency,
      note,
      check: (locked: Line) => {
        const shown = showLine(locked);
        requireMatch(call, tagOfContent(shown));
        requireAsRead(StockLinePatch, body, shown);
      },
    };
    return answerLine(await changeLine(tx, ctx.moverOf(actor), wanted));
  },
});

const getLine = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getStockLine',
  tag,
  summary: 'Read a stock line',
  access: 'read',
  transaction: 'glance',
  readsOne: true,
  params: LineParams,
  answers: { 200: { description: 'The line.', schema: StockLine } },
  errors: ['line_not_found'],
  handle: async ({ params }, tx) => answerLine(await findLine(tx, params.id)),
});

function answerLine(line: Line) {
  const body = showLine(line);
  return { status: 200 as const, body, etag: tagOfContent(body) };
}

function movement(name: string, operationId: string, summary: string, description: string, act: LineAct) {
  return defineRoute({
    method: 'post',
    path: `${member}/${name}`,
    operationId,
    tag,
    summary,
    description,
    access: 'stock',
    // As above.
    transaction: 'none',
    idempotent: true,
    params: LineParams,
    body: act === 'ship' ? LineShipment : act === 'reserve' ? LineReservation : LineMovement,
    answers: { 201: { description: 'The line after the movement, and its entries.', schema: LineMoved } },
    errors: [...lineErrors, 'stock_busy'],
    handle: async (call) => {
      const { ctx, workspace, actor, params, body, idempotency } = call;
      const subject = { line: params.id, closes: act === 'ship' };
      return ctx.procurement.lines.make({
        workspaceId: workspace.id,
        idempotency,
        by: ctx.moverOf(actor),
        act,
        give: async (reading) => {
          const { amount, entered } = await amountOfCall(reading, { ...body, subject });
          const effectiveOn = await dayOfCall(reading, (body as LineShipment).effectiveOn);
          const lots = lotsWanted((body as LineShipment).lots, { amount, entered });
          return {
            moves: [{ line: params.id, amount, entered, index: null, lots }],
            effectiveOn,
            build: undefined,
          };
        },
        note: body.note ?? null,
        show: ([moved]) => ({ status: 201, body: showMoved(actor, moved) }),
      });
    },
  });
}

function ending(name: string, operationId: string, summary: string, toState: 'Closed' | 'Cancelled') {
  return defineRoute({
    method: 'post',
    path: `${member}/${name}`,
    operationId,
    tag,
    summary,
    description: `The transition to ${toState}: what is still on order or reserved is given back (OnOrderRelease, SORelease), and a requirement that the line was for is open by as much again. Components of a manufacturing line are settled: what is held is released, what was not issued is required no more, and \`unused\` says what happens to what was issued beyond what was built.`,
    access: 'procurement',
    transaction: 'write',
    params: LineParams,
    body: LineEnd,
    answers: { 200: { description: 'The line after the movement, and its entries.', schema: LineMoved } },
    errors: lineErrors,
    handle: async ({ ctx, actor, params, body }, tx) => {
      const { note = null, unused = 'waive' } = body ?? {};
      const wanted = { line: params.id, toState, note, unused };
      return {
        status: 200,
        body: showMoved(actor, await endLine(tx, ctx.moverOf(actor), wanted)),
      };
    },
  });
}

function showMoved(
  actor: WorkspaceCall['actor'],
  moved: { line: Line; entries: LedgerEntry[] } | undefined,
): LineMoved {
  if (moved === undefined) throw new Error('A call for one line without it');
  return { line: showLine(moved.line), entries: showEntries(moved.entries, moved.line, actor) };
}

export const lineRoutes: readonly AnyRoute[] = [
  getLines,
  postLine,
  getLine,
  patchLine,
  movement(
    'shipments',
    'shipStockLine',
    'Ship goods of a line',
    'Writes SOShipment: first from what the line has reserved, the rest from what is available. A line with nothing left open becomes Shipped.',
    'ship',
  ),
  movement(
    'reservations',
    'reserveStockLine',
    'Reserve for a sales line',
    'Writes SOReservation, after a release: up to the open and not yet reserved quantity. `lots` are held for the line (LotHold).',
    'reserve',
  ),
  movement(
    'releases',
    'releaseStockLine',
    'Release a reservation of a sales line',
    'Writes SORelease, up to the reserved quantity; the line stays Reserved and can be reserved for or shipped later.',
    'release',
  ),
  ending('close', 'closeStockLine', 'Close a line', 'Closed'),
  ending('cancel', 'cancelStockLine', 'Cancel a line', 'Cancelled'),
];
