/** Changes an order line as the actions of a planning run say: the whole line, or the parts of it that come on different days. */
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { changeLine } from '../../procurement/lines/change-line.ts';
import { endLine } from '../../procurement/lines/end-lines.ts';
import { findLine } from '../../procurement/records/find-procured.ts';
import type { Line } from '../../procurement/records/line.ts';
import { type LinePromise, partsToCome, promisesWithin } from '../../procurement/records/promises.ts';
import { type Micro, microOfDecimal } from '../../quantity.ts';
import type { ActionRow } from './find-run.ts';

interface PlannedChange {
  /** All actions of the line, in their order. */
  actions: readonly ActionRow[];
  note: string | null;
}

/** Throws what `changeLine` and `endLine` throw. */
export async function changePlannedLine(
  tx: Tx,
  by: Mover,
  id: string,
  { actions, note }: PlannedChange,
): Promise<Line> {
  let line = await findLine(tx, id);
  if (actions.some(({ part_on: part }) => part !== null)) return changeParts(tx, by, line, { actions, note });
  for (const one of actions) line = await changeWhole(tx, by, line, { action: one, note });
  return line;
}

/** The action says what the line is to have open, and its basis that what is open is as the run found it. */
async function changeWhole(
  tx: Tx,
  by: Mover,
  line: Line,
  { action: { action, quantity, needed_on: neededOn }, note }: { action: ActionRow; note: string | null },
): Promise<Line> {
  if (action === 'cancel') return cancelLine(tx, by, line, note);
  const isMove = isMoving(action);
  return changeLine(tx, by, {
    line: line.id,
    amount: isMove ? undefined : line.quantity + microOfDecimal(quantity) - line.open,
    requiredBy: isMove ? neededOn : undefined,
    promises: isMove ? [] : undefined,
    note,
    check: () => {},
  });
}

async function cancelLine(tx: Tx, by: Mover, line: Line, note: string | null): Promise<Line> {
  const toState = line.received > 0n ? 'Closed' : 'Cancelled';
  return (await endLine(tx, by, { line: line.id, toState, note, unused: 'waive' })).line;
}

function isMoving(action: ActionRow['action']): boolean {
  return action === 'expedite' || action === 'defer';
}

interface Part {
  /** The day by which the run names it. */
  readonly was: string | null;
  on: string | null;
  quantity: Micro;
}

/** Parts keep the days that no action changes. What was not promised moves with the required date of the line. */
async function changeParts(tx: Tx, by: Mover, line: Line, { actions, note }: PlannedChange): Promise<Line> {
  const received = line.received - line.returned;
  const coming = partsToCome(line.promises, received, line.open);
  const parts: Part[] = coming.parts.map(({ on, quantity }) => ({ was: on, on, quantity }));
  const restOn = line.requiredBy ?? line.promises.at(-1)?.on ?? null;
  const rest: Part = { was: restOn, on: line.requiredBy, quantity: coming.rest };
  for (const { action, part_on: day, needed_on: neededOn, quantity } of actions) {
    const own = [rest, ...parts].filter((part) => part.was === day && part.quantity > 0n);
    if (isMoving(action)) for (const part of own) part.on = neededOn;
    else setQuantity(own, microOfDecimal(quantity));
  }
  const open = parts.reduce((sum, part) => sum + part.quantity, rest.quantity);
  if (open === 0n) return cancelLine(tx, by, line, note);
  const come = promisesWithin(line.promises, received > 0n ? received : 0n);
  return changeLine(tx, by, {
    line: line.id,
    amount: line.quantity + open - line.open,
    requiredBy: rest.on,
    promises: byDay([...come, ...parts.map(({ on, quantity }) => ({ on: on as string, quantity }))]),
    note,
    check: () => {},
  });
}

/** The part that was not promised, which is the first, changes before the promised ones. */
function setQuantity(parts: readonly Part[], quantity: Micro): void {
  let less = parts.reduce((sum, part) => sum + part.quantity, -quantity);
  for (const part of parts) {
    const taken = less < part.quantity ? less : part.quantity;
    part.quantity -= taken;
    less -= taken;
  }
}

function byDay(parts: readonly LinePromise[]): LinePromise[] {
  const sums = new Map<string, Micro>();
  for (const { on, quantity } of parts) sums.set(on, (sums.get(on) ?? 0n) + quantity);
  return [...sums]
    .map(([on, quantity]) => ({ on, quantity }))
    .filter(({ quantity }) => quantity > 0n)
    .toSorted((a, b) => (a.on < b.on ? -1 : 1));
}
