/**
 * A stock count: what was counted becomes On Hand. The difference is taken from the position as it is when it is
 * locked, not as it was when somebody went to the shelf: what moved in between is not booked a second time.
 */
import type { Actor } from '../../actor.ts';
import { shareConfiguration } from '../../configuration/lock-configuration.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, noEntity } from '../../entities/resolve-entity.ts';
import { readItemUnits } from '../../entities/units/item-units.ts';
import { AppError, type ErrorCode, type FieldError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { orRefusal } from '../../group-commit/gathering.ts';
import { decimalOf, type Micro, microOfNumber, numberOf } from '../../quantity.ts';
import { noUnits } from '../../units/item-units.ts';
import { amountGiven } from '../entries/given-quantity.ts';
import type { Movement, NewLot } from '../entries/movement.ts';
import { showPlace } from '../entries/show-stock.ts';
import { positionKey } from '../movements/decide-movements.ts';
import { dayCheck, requireDay } from '../movements/effective-day.ts';
import { findStockEntities, notFor, type StockEntity } from '../movements/find-stock-entities.ts';
import { type LotChanges, LotStock } from '../movements/lot-stock.ts';
import { type LockedPositions, openPositions, startRecording } from '../movements/record-requests.ts';
import { refuseMovements } from '../movements/refuse-movements.ts';
import { type CountedLine, numberIn, type StockCount, type StockRef } from './count.schema.ts';
import { insertCounts, selectIdsByNumber } from './count.sql.ts';

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

const FINDINGS_MAX = 100;
const MOVED_MAX = 100;

interface CheckedLine {
  index: number;
  item: StockEntity;
  location: StockEntity;
  counted: Micro;
  seen: Micro | null;
  lot: string | null;
  newLot: NewLot | undefined;
}

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

async function checkLines(tx: Tx, lines: StockCount['lines'], slices: Slices): Promise<CheckedLine[]> {
  const found = await resolve(tx, new Set(lines.flatMap(({ item, location }) => [item, location])));
  const units = await unitsOf(tx, lines, found);
  const findings: (FieldError & { code: ErrorCode })[] = [];
  const known = new Map<string, number>();
  const check = (line: StockCount['lines'][number], index: number): CheckedLine[] => {
    const before = findings.length;
    const find = (field: string, code: ErrorCode, message: string) =>
      findings.push({ pointer: `/lines/${index}/${field}`, code, message });
    const entity = (field: 'item' | 'location'): StockEntity | null => {
      const named = found.get(line[field]) ?? [];
      // A shelf and a part may have the same number: the one with the role that is meant counts.
      const fitting = named.filter((one) => (field === 'item' ? one.isItem : one.isLocation));
      const [one, ...others] = fitting.length > 0 ? fitting : named;
      if (one === undefined) {
        find(field, 'entity_not_found', noEntity(line[field]));
      } else if (others.length > 0) {
        const several = `Several entities have the number ${numberIn(line[field])}: name one by its id.`;
        find(field, 'ambiguous_number', several);
      }
      return others.length > 0 ? null : (one ?? null);
    };
    const amount = (field: 'countedQty' | 'seenOnHand', value: number): Micro => {
      const micro = microOfNumber(value);
      if (micro !== null && micro >= 0n) return micro;
      find(
        field,
        'quantity_out_of_range',
        `${value} is below 0, or has more than 9 integer or 6 fractional digits.`,
      );
      return 0n;
    };
    const [item, location] = [entity('item'), entity('location')];
    if (item?.isItem === false) find('item', 'not_an_item', notFor('items', item));
    if (location?.isLocation === false) {
      find('location', 'not_a_location', notFor('locations', location));
    }
    let counted = amount('countedQty', line.countedQty);
    if (line.unit != null && item !== null && findings.length === before && counted > 0n) {
      const of = { item: nameOf(item), field: `lines/${index}/countedQty` };
      const given = orRefusal(() => amountGiven(line.countedQty, line, units.get(item.id) ?? noUnits, of));
      if (given instanceof AppError) {
        for (const { pointer, message } of given.errors ?? [])
          findings.push({ pointer, code: given.code, message });
      } else counted = given.amount;
    }
    const seen = typeof line.seenOnHand === 'number' ? amount('seenOnHand', line.seenOnHand) : null;
    if (item === null || location === null) return [];
    const lot = line.lot ?? null;
    const key = positionKey({ itemId: item.id, locationId: location.id }) + (lot ?? '');
    const first = known.get(key);
    if (first !== undefined) {
      const what = lot === null ? 'position' : 'lot';
      find('item', 'duplicate_position', `Line ${first} counts the same ${what}.`);
    }
    known.set(key, index);
    const { newLot } = line;
    return findings.length > before ? [] : [{ index, item, location, counted, seen, lot, newLot }];
  };
  const checked: CheckedLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (slices.areDue) await slices.next();
    checked.push(...check(line, index));
    if (findings.length >= FINDINGS_MAX) break;
  }
  const [first] = findings;
  if (first !== undefined) {
    throw new AppError(first.code, { detail: first.message, errors: findings.slice(0, FINDINGS_MAX) });
  }
  if (slices.areDue) await slices.next();
  return checked;
}

/** Reads the units of the items whose count names one. */
function unitsOf(tx: Tx, lines: StockCount['lines'], found: ReadonlyMap<StockRef, StockEntity[]>) {
  const named = lines.filter(({ unit }) => unit != null);
  return readItemUnits(
    tx,
    named.flatMap(({ item }) => (found.get(item) ?? []).map(({ id }) => id)),
  );
}

/** Resolves references by id, GUID or number; several entities may share a number. */
async function resolve(tx: Tx, refs: ReadonlySet<StockRef>): Promise<Map<StockRef, StockEntity[]>> {
  const numbers = [...refs].flatMap((ref) => numberIn(ref) ?? []);
  const rows =
    numbers.length === 0
      ? []
      : await tx.query<{ number: string; ids: string[] }>(selectIdsByNumber, [tx.workspaceId, numbers]);
  const idsByNumber = new Map(rows.map((row) => [row.number, row.ids]));
  const direct = [...refs].filter((ref) => numberIn(ref) === null);
  const entities = await findStockEntities(tx, [...direct, ...rows.flatMap((row) => row.ids)] as EntityRef[]);
  return new Map(
    [...refs].map((ref) => {
      const number = numberIn(ref);
      const named = number === null ? [ref] : (idsByNumber.get(number) ?? []);
      return [ref, named.flatMap((one) => entities.get(one as EntityRef) ?? [])];
    }),
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

function nameOf({ number, id }: StockEntity): string {
  return number ?? id;
}
