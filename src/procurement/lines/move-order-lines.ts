/** A delivery: what came, or what went out, of several lines of one order, or all of it that is open. */
import { forgettingRows } from '../../db/forget-rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import type { Micro } from '../../quantity.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import { recordMovements } from '../../stock/movements/record-movements.ts';
import { lockLines } from '../records/find-procured.ts';
import { followState } from '../records/follow-state.ts';
import { isAtWork, type Line } from '../records/line.ts';
import type { OrderDelivery, OrderWithLines } from '../records/orders.schema.ts';
import { amountOf, kindOf, pointingAtLine } from '../records/refusals.ts';
import { endsOfActs, type LineAct, movementOf } from './work-on-line.ts';

export type DeliveryAct = Extract<LineAct, 'receive' | 'ship'>;

interface Part {
  lineId: string;
  amount: Micro;
  /** Where the body names it; null where it is of all that is open. */
  index: number | null;
}

/**
 * Throws `line_not_open` where nothing is open; pointing at the line, what `movementOf` does, `insufficient_stock`, and
 * `line_not_found` for one that is not the order's; and what a feature automation refuses.
 */
export async function moveOrderLines(
  tx: Tx,
  by: Mover,
  act: DeliveryAct,
  order: OrderWithLines,
  { lines, note = null }: OrderDelivery,
): Promise<void> {
  const parts = lines === undefined ? await allOpen(tx, act, order) : await partsOf(order, lines);
  for (const round of roundsOf(parts)) await movePiece(tx, by, act, round, note);
}

/** As it is under the locks: of two who take all that is open at once, the second finds nothing. */
async function allOpen(tx: Tx, act: DeliveryAct, order: OrderWithLines): Promise<Part[]> {
  const { number, type } = order;
  if ((type === 'salesOrder') !== (act === 'ship')) {
    throw new AppError('line_not_open', {
      detail: `Order ${number ?? order.id} is a ${kindOf(type)} order, which is not ${act === 'ship' ? 'shipped' : 'received'}.`,
      extensions: { orderType: type },
    });
  }
  const locked = await lockLines(
    tx,
    order.lines.map(({ id }) => id),
  );
  const open = [...locked.values()].filter((line) => line.open > 0n && isAtWork(line));
  if (open.length === 0) {
    throw new AppError(
      'line_not_open',
      `No line of the order has anything open: there is nothing to ${act === 'ship' ? 'ship' : 'receive'}.`,
    );
  }
  return open.map(({ id, open: amount }) => ({ lineId: id, amount, index: null }));
}

async function partsOf(
  { id, number, lines }: OrderWithLines,
  given: NonNullable<OrderDelivery['lines']>,
): Promise<Part[]> {
  const own = new Set(lines.map((line) => line.id));
  const parts: Part[] = [];
  for (const [index, { lineId, quantity }] of given.entries()) {
    await pointingAtLine(index, async () => {
      if (!own.has(lineId.toLowerCase())) {
        throw new AppError('line_not_found', `Order ${number ?? id} has no line ${lineId}.`);
      }
      parts.push({ lineId: lineId.toLowerCase(), amount: amountOf(quantity), index });
    });
  }
  return parts;
}

/** Each line once in a round: one that is named again starts from what was left of it. */
function roundsOf(parts: readonly Part[]): Part[][] {
  const rounds: Part[][] = [];
  const times = new Map<string, number>();
  for (const part of parts) {
    const time = times.get(part.lineId) ?? 0;
    times.set(part.lineId, time + 1);
    const round = rounds[time] ?? [];
    round.push(part);
    rounds[time] = round;
  }
  return rounds;
}

/** All movements in one piece, so that the positions of all are locked in one order, whoever else takes some of them. */
async function movePiece(
  tx: Tx,
  by: Mover,
  act: DeliveryAct,
  parts: readonly Part[],
  note: string | null,
): Promise<void> {
  const locked = await lockLines(
    tx,
    parts.map(({ lineId }) => lineId),
  );
  const movements: Movement[] = [];
  const done: Line[] = [];
  for (const { lineId, amount, index } of parts) {
    await pointingAt(index, async () => {
      const line = locked.get(lineId);
      if (line === undefined) throw new AppError('line_not_found', `There is no stock line ${lineId}.`);
      movements.push(movementOf(act, line, amount, note));
      if (amount === line.open) done.push(line);
    });
  }
  await pointingAtRefused(parts, () => recordMovements(tx, by.actor, movements));
  const toState = endsOfActs[act];
  if (toState === null) return;
  for (const { id } of done) {
    await forgettingRows(tx, () => followState(tx, by, { entity: id, toState, note }));
  }
}

async function pointingAt<T>(index: number | null, work: () => Promise<T>): Promise<T> {
  return index === null ? work() : pointingAtLine(index, work);
}

interface RefusedMovement {
  index: number;
  message: string;
}

/** A refusal of movements names each by its place among them: here it says which line that is, and where the body has it. */
async function pointingAtRefused(parts: readonly Part[], work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError) || !Array.isArray(error.extensions?.refusals)) throw error;
    const refused = (error.extensions.refusals as RefusedMovement[]).map((one) => ({
      ...one,
      part: parts[one.index],
    }));
    const { code } = error;
    throw new AppError(code, {
      detail: error.message,
      errors: refused.flatMap(({ part, message }) =>
        part === undefined || part.index === null ? [] : [{ pointer: `/lines/${part.index}`, code, message }],
      ),
      extensions: {
        ...error.extensions,
        refusals: refused.map(({ part, ...one }) => ({
          ...one,
          index: part?.index ?? one.index,
          lineId: part?.lineId,
        })),
      },
    });
  }
}
