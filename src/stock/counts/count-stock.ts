/**
 * A stock count: what was counted becomes On Hand. The difference is taken from the position as it is when it is
 * locked, not as it was when somebody went to the shelf: what moved in between is not booked a second time.
 */
import type { Actor } from '../../actor.ts';
import { shareConfiguration } from '../../configuration/lock-configuration.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { decimalOf, type Micro, numberOf } from '../../quantity.ts';
import type { Movement } from '../entries/movement.ts';
import { showPlace } from '../entries/show-stock.ts';
import { positionKey } from '../movements/decide-movements.ts';
import { dayCheck, requireDay } from '../movements/effective-day.ts';
import type { StockEntity } from '../movements/find-stock-entities.ts';
import { type LotChanges, LotStock } from '../movements/lot-stock.ts';
import { type LockedPositions, openPositions, startRecording } from '../movements/record-requests.ts';
import { refuseMovements } from '../movements/refuse-movements.ts';
import { type CheckedLine, checkLines } from './check-lines.ts';
import type { CountedLine, StockCount } from './count.schema.ts';
import { insertCounts } from './count.sql.ts';

export const countErrors = [
  'quantity_out_of_range',
  'zero_quantity',
  'unit_unknown',
  'quantity_inexact',
  'entity_not_found',
  'ambiguous_number',
  'not_an_item',
  'not_a_location',
  'duplicate_position',
  'position_moved',
  'entity_archived',
  'insufficient_stock',
  'lot_refused',
  'stock_closed',
] as const satisfies readonly ErrorCode[];

const MOVED_MAX = 100;

/** Figures that a count is compared with. */
interface Stock extends LockedPositions {
  lots: LotChanges;
}

/**
 * Counts stock and returns what is written, or with `dryRun` would be. Throws errors about the lines, of the day, and `position_moved`;
 * a dry run is refused as the count would be, except for stock that moved.
 */
export async function countStock(
  tx: Tx,
  actor: Actor,
  { lines, note, dryRun, effectiveOn }: StockCount,
): Promise<{ lines: CountedLine[]; entries: number }> {
  const slices = new Slices(tx.gone);
  const [, checked] = await Promise.all([shareConfiguration(tx), checkLines(tx, lines, slices)]);
  const day = requireDay(await dayCheck(tx, [{ effectiveOn }]), effectiveOn);
  const opened = await openPositions(tx, checked.map(keyOf));
  const lots = new LotStock(opened.nowUs);
  await lots.load(tx, checked.map(movementOf));
  const locked: Stock = { ...opened, lots: lots.begin() };
  const shown: CountedLine[] = [];
  for (const line of checked) {
    if (slices.areDue) await slices.next();
    shown.push(showLine(line, locked));
  }
  const movements = checked.flatMap((line): Movement[] => {
    const amount = line.counted - onHandOf(line, locked);
    return amount === 0n ? [] : [{ ...movementOf(line), amount, note: note ?? null }];
  });
  const moved = shown.filter((line) => line.moved);
  if (moved.length > 0 && !dryRun) throw positionMoved(moved);
  const recording = await startRecording(tx, locked);
  const { refusals } = await recording.decide({ actor, movements, effectiveOn: day });
  if (refusals !== null) throw refuseMovements(refusals, namesOf(checked));
  if (dryRun) return { lines: shown, entries: movements.length };
  await recording.write();
  noteCounts(tx, actor, checked, locked);
  return { lines: shown, entries: movements.length };
}

/** Records when each position was counted, also if the count agreed and made no entry. */
function noteCounts(tx: Tx, actor: Actor, lines: readonly CheckedLine[], locked: Stock): void {
  tx.withCommit(
    tx.query(insertCounts, [
      tx.workspaceId,
      lines.map(({ item }) => item.id),
      lines.map(({ location }) => location.id),
      lines.map(() => newId()),
      lines.map(({ counted }) => decimalOf(counted)),
      lines.map((line) => decimalOf(onHandOf(line, locked))),
      actor.id,
      new Date().toISOString(),
      lines.map(({ lot }) => lot),
    ]),
  );
}

function keyOf({ item, location }: CheckedLine) {
  return { itemId: item.id, locationId: location.id };
}

function movementOf(line: CheckedLine): Movement {
  const { counted: amount, lot, newLot } = line;
  return { ...keyOf(line), type: 'Adjustment', amount, lot, newLot };
}

/** Returns the quantity with which a line is compared: of its lot, or, for a line without a lot, the stock in no lot. */
function onHandOf(line: CheckedLine, { positions, lots }: Stock): Micro {
  if (line.lot !== null) return lots.onHandOf(movementOf(line));
  const position = positions.get(positionKey(keyOf(line)));
  return position === undefined ? 0n : position.onHand - (position.inLots ?? 0n);
}

function showLine(line: CheckedLine, locked: Stock): CountedLine {
  const { index, item, location, counted, seen, lot } = line;
  const onHand = onHandOf(line, locked);
  return {
    index,
    ...showPlace(item, location),
    onHand: numberOf(onHand),
    countedQty: numberOf(counted),
    difference: numberOf(counted - onHand),
    seenOnHand: seen === null ? null : numberOf(seen),
    lot,
    createsLot: lot !== null && counted !== onHand && !locked.lots.has(movementOf(line)),
    moved: seen !== null && seen !== onHand,
  };
}

function positionMoved(moved: readonly CountedLine[]): AppError {
  const [first] = moved as [CountedLine, ...CountedLine[]];
  const where = `${first.itemNumber ?? first.itemName} at ${first.locationNumber ?? first.locationName}`;
  const more = moved.length > 1 ? ` So it is with ${moved.length - 1} more.` : '';
  return new AppError('position_moved', {
    detail: `On Hand of ${where} was ${first.seenOnHand} when it was counted and is ${first.onHand} now: count again, or send the line with the figure that holds.${more}`,
    extensions: { moved: moved.slice(0, MOVED_MAX), movedCount: moved.length },
  });
}

function namesOf(lines: readonly CheckedLine[]): Map<string, StockEntity> {
  return new Map(
    lines.flatMap(({ item, location }) => [item, location].map((one) => [one.id, one] as const)),
  );
}
