/** Checks the lines of a stock count: the items and locations that they name, and their quantities. */
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, noEntity } from '../../entities/resolve-entity.ts';
import { readItemUnits } from '../../entities/units/item-units.ts';
import { AppError, type ErrorCode, type FieldError } from '../../errors.ts';
import type { Slices } from '../../fairness/slices.ts';
import { orRefusal } from '../../group-commit/gathering.ts';
import { type Micro, microOfNumber } from '../../quantity.ts';
import { type ItemUnits, noUnits } from '../../units/item-units.ts';
import { amountGiven } from '../entries/given-quantity.ts';
import type { NewLot } from '../entries/movement.ts';
import { positionKey } from '../movements/decide-movements.ts';
import { findStockEntities, nameOf, notFor, type StockEntity } from '../movements/find-stock-entities.ts';
import { numberIn, type StockCount, type StockRef } from './count.schema.ts';
import { selectIdsByNumber } from './count.sql.ts';

const FINDINGS_MAX = 100;

type GivenLine = StockCount['lines'][number];

export interface CheckedLine {
  index: number;
  item: StockEntity;
  location: StockEntity;
  counted: Micro;
  seen: Micro | null;
  lot: string | null;
  newLot: NewLot | undefined;
}

/** Throws one error with the findings about all lines, up to a bound. */
export async function checkLines(tx: Tx, lines: StockCount['lines'], slices: Slices): Promise<CheckedLine[]> {
  const found = await resolve(tx, new Set(lines.flatMap(({ item, location }) => [item, location])));
  const checks = new LineChecks(found, await unitsOf(tx, lines, found));
  const checked: CheckedLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (slices.areDue) await slices.next();
    const one = checks.check(line, index);
    if (one !== null) checked.push(one);
    if (checks.findings.length >= FINDINGS_MAX) break;
  }
  const [first] = checks.findings;
  if (first !== undefined) {
    const errors = checks.findings.slice(0, FINDINGS_MAX);
    throw new AppError(first.code, { detail: first.message, errors });
  }
  if (slices.areDue) await slices.next();
  return checked;
}

class LineChecks {
  readonly #found: ReadonlyMap<StockRef, StockEntity[]>;
  readonly #units: ReadonlyMap<string, ItemUnits>;
  /** The line that counts each position and lot. */
  readonly #lineOf = new Map<string, number>();
  readonly findings: (FieldError & { code: ErrorCode })[] = [];

  constructor(found: ReadonlyMap<StockRef, StockEntity[]>, units: ReadonlyMap<string, ItemUnits>) {
    this.#found = found;
    this.#units = units;
  }

  /** Returns null for a line with findings. */
  check(line: GivenLine, index: number): CheckedLine | null {
    const before = this.findings.length;
    const item = this.#named(line, 'item', index);
    const location = this.#named(line, 'location', index);
    const counted = this.#amount(line.countedQty, index, 'countedQty');
    const inBaseUnit =
      line.unit != null && item !== null && this.findings.length === before && counted > 0n
        ? this.#inBaseUnit(line, item, index)
        : counted;
    const seen =
      typeof line.seenOnHand === 'number' ? this.#amount(line.seenOnHand, index, 'seenOnHand') : null;
    if (item === null || location === null) return null;
    const { lot = null, newLot } = line;
    this.#requireFirst({ itemId: item.id, locationId: location.id }, lot ?? null, index);
    if (this.findings.length > before) return null;
    return { index, item, location, counted: inBaseUnit, seen, lot: lot ?? null, newLot };
  }

  #add(index: number, field: string, code: ErrorCode, message: string): void {
    this.findings.push({ pointer: `/lines/${index}/${field}`, code, message });
  }

  #named(line: GivenLine, field: 'item' | 'location', index: number): StockEntity | null {
    const hasRole = (one: StockEntity) => (field === 'item' ? one.isItem : one.isLocation);
    const named = this.#found.get(line[field]) ?? [];
    // A shelf and a part may have the same number: the one with the role that is meant counts.
    const fitting = named.filter(hasRole);
    const [one, ...others] = fitting.length > 0 ? fitting : named;
    if (one === undefined) {
      this.#add(index, field, 'entity_not_found', noEntity(line[field]));
      return null;
    }
    if (others.length > 0) {
      const several = `Several entities have the number ${numberIn(line[field])}: name one by its id.`;
      this.#add(index, field, 'ambiguous_number', several);
      return null;
    }
    if (!hasRole(one)) {
      const code = field === 'item' ? 'not_an_item' : 'not_a_location';
      this.#add(index, field, code, notFor(field === 'item' ? 'items' : 'locations', one));
    }
    return one;
  }

  #amount(value: number, index: number, field: 'countedQty' | 'seenOnHand'): Micro {
    const micro = microOfNumber(value);
    if (micro !== null && micro >= 0n) return micro;
    const message = `${value} is below 0, or has more than 9 integer or 6 fractional digits.`;
    this.#add(index, field, 'quantity_out_of_range', message);
    return 0n;
  }

  #inBaseUnit(line: GivenLine, item: StockEntity, index: number): Micro {
    const of = { item: nameOf(item), field: `lines/${index}/countedQty` };
    const units = this.#units.get(item.id) ?? noUnits;
    const given = orRefusal(() => amountGiven(line.countedQty, line, units, of));
    if (!(given instanceof AppError)) return given.amount;
    for (const { pointer, message } of given.errors ?? [])
      this.findings.push({ pointer, code: given.code, message });
    return 0n;
  }

  #requireFirst(place: { itemId: string; locationId: string }, lot: string | null, index: number): void {
    const key = positionKey(place) + (lot ?? '');
    const first = this.#lineOf.get(key);
    this.#lineOf.set(key, index);
    if (first === undefined) return;
    const what = lot === null ? 'position' : 'lot';
    this.#add(index, 'item', 'duplicate_position', `Line ${first} counts the same ${what}.`);
  }
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
