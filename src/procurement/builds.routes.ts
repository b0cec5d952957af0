/** Builds of manufacturing lines: their components, receipts that take them, scrap and disassembly (contract §4.8). */
import type { z } from 'zod';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { type AnyRoute, defineRoute, LARGE_BODY_BYTES, type WorkspaceCall } from '../http/route.ts';
import type { Micro } from '../quantity.ts';
import { namedLots } from '../stock/movements/lot-shares.ts';
import { buildOf, substitutesOf } from './builds/build-of-call.ts';
import {
  ComponentsMoved,
  ComponentsPreview,
  LineComponents,
  LineDisassembled,
  LineDisassembly,
  LineReceipt,
  LineReceived,
  LineScrap,
} from './builds/builds.schema.ts';
import { ComponentsWork } from './builds/component-calls.schema.ts';
import { disassemble } from './builds/disassemble.ts';
import { moveComponents, previewComponents } from './builds/move-components.ts';
import { type BuildRequest, noScrap } from './builds/plan-build.ts';
import { previewReceipt } from './builds/preview-receipt.ts';
import { readComponents, showPreview, showTakes } from './builds/show-components.ts';
import { showEntries } from './lines/line-entries.ts';
import type { LineMove, MovedLine } from './lines/line-request.ts';
import { amountOfCall, dayOfCall, type Reading, readingIn } from './records/given-amounts.ts';
import { costOfCall } from './records/given-costs.ts';
import { LineParams } from './records/lines.schema.ts';
import { buildErrors, componentErrors } from './records/procurement-errors.ts';
import { amountOf } from './records/refusals.ts';
import { showLine } from './records/show-procurement.ts';

const member = '/api/wid/{slug}/stock/lines/{id}';
const tag = 'Procurement';

const getComponents = defineRoute({
  method: 'get',
  path: `${member}/components`,
  operationId: 'listLineComponents',
  tag,
  summary: 'List the components of a manufacturing line',
  description:
    'One level of the structure of the item, at the revision that is fixed when the line is ordered; components of phantoms stand for the phantom. For each: what is required, issued, held, on order and available, and where; for the line, how many units can be built now and which component limits them.',
  access: 'read',
  transaction: 'read',
  readsMuch: true,
  params: LineParams,
  answers: { 200: { description: 'The components.', schema: LineComponents } },
  errors: ['line_not_found', 'line_not_open', 'tree_too_large'],
  handle: async ({ params }, tx) => ({ status: 200, body: await readComponents(tx, params.id) }),
});

function componentsCall(
  name: 'reservations' | 'issues',
  operationId: string,
  summary: string,
  description: string,
) {
  const act = name === 'issues' ? 'issue' : 'reserve';
  return defineRoute({
    method: 'post',
    path: `${member}/components/${name}`,
    operationId,
    tag,
    summary,
    description: `${description} Everything or nothing: if a component is short, nothing moves, and \`shortages\` of the problem has all of them.`,
    access: 'stock',
    transaction: 'write',
    params: LineParams,
    body: ComponentsWork,
    answers: {
      200: { description: 'What would be taken (`dryRun`).', schema: ComponentsPreview },
      201: { description: 'The components after it, and what was taken.', schema: ComponentsMoved },
    },
    errors: componentErrors,
    handle: async ({ ctx, actor, params, body }, tx) => {
      const { quantity, from = null, note = null, dryRun, componentLots, substitutes } = body;
      const subject = { line: params.id, closes: false };
      const units =
        quantity === undefined
          ? null
          : (await amountOfCall(readingIn(tx), { ...body, quantity, subject })).amount;
      const work = {
        line: params.id,
        act,
        units,
        from,
        note,
        componentLots,
        substitutes: await substitutesOf(readingIn(tx), substitutes),
      } as const;
      if (dryRun) return { status: 200, body: await showPreview(tx, await previewComponents(tx, work)) };
      const { takes } = await moveComponents(tx, ctx.moverOf(actor), work);
      const taken = await showTakes(tx, takes);
      return { status: 201, body: { ...(await readComponents(tx, params.id)), taken } };
    },
  });
}

const receivingErrors = [...buildErrors, 'stock_busy'] as const;
const received = {
  200: { description: 'The components that would be taken (`dryRun`).', schema: ComponentsPreview },
  201: {
    description: 'The line after it, its entries, and the components that were issued.',
    schema: LineReceived,
  },
};

const postReceipt = defineRoute({
  method: 'post',
  path: `${member}/receipts`,
  operationId: 'receiveStockLine',
  tag,
  summary: 'Receive goods of a line',
  description:
    'Writes POReceipt, or MOReceipt for a manufacturing line: from On Order to On Hand. A line with nothing left open becomes Received. In the same transaction a manufacturing line takes its components as `consume` says; if there are not enough, nothing is received, and `shortages` of the problem has all of them.',
  access: 'stock',
  // Callers of the same time share a transaction, and their keys are recorded in it.
  transaction: 'none',
  idempotent: true,
  params: LineParams,
  body: LineReceipt,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: received,
  errors: [...receivingErrors, 'costing_off'],
  handle: async (call) => {
    const { lots, locationEntityId: location, scrap } = call.body;
    const subject = { line: call.params.id, closes: true };
    const give = async (reading: Reading) => {
      const { amount, entered } = await amountOfCall(reading, { ...call.body, subject });
      const effectiveOn = await dayOfCall(reading, call.body.effectiveOn);
      const failed = scrap === undefined ? null : { ...noScrap, amount: amountOf(scrap, 'scrap') };
      const build = await buildOf(reading, call.body, failed);
      const unitCost = await costOfCall(reading, {
        unitCost: call.body.unitCost,
        amount: { amount, entered },
      });
      const goods = { location, lots: namedLots(lots, { amount, entered }), unitCost };
      return { amount, entered, effectiveOn, ...goods, build };
    };
    return receive(call, give);
  },
});

const postScrap = defineRoute({
  method: 'post',
  path: `${member}/scrap`,
  operationId: 'scrapStockLine',
  tag,
  summary: 'Record units that failed',
  description:
    'Units of a manufacturing line that were made and failed: they take components like received ones, and more of them are required; the units stay open on the line. The ledger gets two adjustments of the output, in and out, the second with the reason `scrap`.',
  access: 'stock',
  transaction: 'none',
  idempotent: true,
  params: LineParams,
  body: LineScrap,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: received,
  errors: receivingErrors,
  handle: async (call) => {
    const { lots } = call.body;
    const subject = { line: call.params.id, closes: false };
    const give = async (reading: Reading) => {
      const failed = await amountOfCall(reading, { ...call.body, subject });
      const build = await buildOf(reading, call.body, { ...failed, lots: namedLots(lots, failed) });
      return { amount: 0n, effectiveOn: null, lots: null, build };
    };
    return receive(call, give);
  },
});

interface Received extends Omit<LineMove, 'line' | 'index' | 'amount'> {
  amount: Micro;
  effectiveOn: string | null;
  build: BuildRequest | undefined;
}

interface ReceiptCall extends Pick<WorkspaceCall, 'ctx' | 'workspace' | 'actor' | 'idempotency' | 'gone'> {
  params: z.output<typeof LineParams>;
  body: { note?: string | null | undefined; dryRun: boolean };
}

async function receive(call: ReceiptCall, give: (reading: Reading) => Promise<Received>) {
  const { ctx, workspace, actor, params, body, idempotency, gone } = call;
  if (body.dryRun) {
    const preview = async (tx: Tx) => {
      // Nothing is written, so nothing needs to stay as it is read.
      const { amount, build, unitCost } = await give((work) => work(tx));
      return previewReceipt(tx, { line: params.id, amount, build, unitCost });
    };
    const scope = { workspaceId: workspace.id };
    return {
      status: 200 as const,
      body: await inTransaction(ctx.db, scope, preview, { readOnly: true, gone }),
    };
  }
  return ctx.procurement.lines.make({
    workspaceId: workspace.id,
    idempotency,
    by: ctx.moverOf(actor),
    act: 'receive',
    give: async (reading) => {
      const { effectiveOn, build, ...move } = await give(reading);
      return { moves: [{ line: params.id, index: null, ...move }], effectiveOn, build };
    },
    note: body.note ?? null,
    show: ([moved]) => ({ status: 201, body: showReceived(actor, moved) }),
  });
}

function showReceived(actor: WorkspaceCall['actor'], moved: MovedLine | undefined): LineReceived {
  if (moved === undefined) throw new Error('A call for one line without it');
  const { line, entries, consumed } = moved;
  return { line: showLine(line), entries: showEntries(entries, line, actor), consumed };
}

const postDisassembly = defineRoute({
  method: 'post',
  path: `${member}/disassemblies`,
  operationId: 'disassembleStockLine',
  tag,
  summary: 'Take built units apart',
  description:
    'The units leave stock by an adjustment with the reason `disassembly`. What was really consumed for them comes back to where it was issued, by reversals of the newest issues, in proportion to the units that are built. The line keeps its received quantity: it is not open again.',
  access: 'stock',
  transaction: 'write',
  params: LineParams,
  body: LineDisassembly,
  answers: {
    201: {
      description: 'The line, the entries of its output, and the components that came back.',
      schema: LineDisassembled,
    },
  },
  errors: [...componentErrors, 'over_disassembly'],
  handle: async ({ ctx, actor, params, body }, tx) => {
    const { locationEntityId: location = null, lots, note = null } = body;
    const subject = { line: params.id, closes: false };
    const units = await amountOfCall(readingIn(tx), { ...body, subject });
    const wanted = { ...units, line: params.id, location, lots: namedLots(lots, units), note };
    const { line, entries, returned } = await disassemble(tx, ctx.moverOf(actor), wanted);
    return {
      status: 201,
      body: { line: showLine(line), entries: showEntries(entries, line, actor), returned },
    };
  },
});

export const buildRoutes: readonly AnyRoute[] = [
  getComponents,
  componentsCall(
    'reservations',
    'reserveLineComponents',
    'Reserve all components of a line',
    'Writes MRReservation for what is required, not reserved and not on order for it: first of the `substitutes` that the call names, the rest of the component. `componentLots` are held for it (LotHold); what they lack is reserved without a lot.',
  ),
  componentsCall(
    'issues',
    'issueLineComponents',
    'Issue all components of a line',
    'Writes MRIssue for what is required and not issued: first what is reserved, then the `substitutes` that the call names, the rest from what is available.',
  ),
  postReceipt,
  postScrap,
  postDisassembly,
];
