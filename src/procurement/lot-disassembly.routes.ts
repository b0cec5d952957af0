/** Takes units of a lot apart, or the unit with a serial number: the service finds the line that built them (contract §4.8). */
import type { Tx } from '../db/transaction.ts';
import type { EntityRef } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { LotParams, type StockLotAtPlaces } from '../stock/lots/lots.schema.ts';
import { selectBuilderOfLot } from '../stock/lots/lots.sql.ts';
import { readLot } from '../stock/lots/lots.ts';
import { LineDisassembled, LotDisassembly } from './builds/builds.schema.ts';
import { disassemble } from './builds/disassemble.ts';
import { showEntries } from './lines/line-entries.ts';
import { amountOfCall, readingIn } from './records/given-amounts.ts';
import { componentErrors } from './records/procurement-errors.ts';
import { showLine } from './records/show-procurement.ts';

const postDisassembly = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/stock/lots/{id}/disassemblies',
  operationId: 'disassembleLot',
  tag: 'Procurement',
  summary: 'Take units of a lot apart',
  description:
    'As `POST /stock/lines/{id}/disassemblies` with this lot, for the manufacturing line that received it last. What this lot consumed comes back: the components that were issued with its receipt, in proportion to the units of that receipt, and its share of those that were issued without one.',
  access: 'stock',
  transaction: 'write',
  params: LotParams,
  body: LotDisassembly,
  answers: {
    201: {
      description: 'The line, the entries of its output, and the components that came back.',
      schema: LineDisassembled,
    },
  },
  errors: [...componentErrors, 'lot_not_found', 'over_disassembly'],
  handle: async ({ ctx, actor, params, body }, tx) => {
    const { lot } = await readLot(tx, params.id);
    const line = await builderOf(tx, lot);
    const { quantity = 1, note = null } = body;
    const subject = { line, closes: false };
    const units = await amountOfCall(readingIn(tx), { ...body, quantity, subject });
    const location = body.locationEntityId ?? placeOf(lot);
    const lots = [{ lot: lot.number, amount: units.amount }];
    const done = await disassemble(tx, ctx.moverOf(actor), { ...units, line, location, lots, note });
    return {
      status: 201,
      body: {
        line: showLine(done.line),
        entries: showEntries(done.entries, done.line, actor),
        returned: done.returned,
      },
    };
  },
});

/** Throws `over_disassembly` for a lot that no line has built. */
async function builderOf(tx: Tx, { itemEntityId, number }: StockLotAtPlaces): Promise<EntityRef> {
  const [row] = await tx.query<{ line_id: string }>(selectBuilderOfLot, [
    tx.workspaceId,
    itemEntityId,
    number,
  ]);
  if (row !== undefined) return row.line_id as EntityRef;
  throw new AppError('over_disassembly', {
    detail: `No manufacturing line has built ${number}: there are no components to take back.`,
    extensions: { lot: number, builtQty: 0 },
  });
}

/** The one location of the lot; null, the location of its line, where it is in stock at several or at none. */
function placeOf({ positions }: StockLotAtPlaces): EntityRef | null {
  const [only, other] = positions;
  return only === undefined || other !== undefined ? null : (only.locationEntityId as EntityRef);
}

export const lotDisassemblyRoutes: readonly AnyRoute[] = [postDisassembly];
