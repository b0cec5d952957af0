/** Quantities and days as calls of procurement give them, with units and settings as they stay until the transaction ends. */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { readItemUnits } from '../../entities/units/item-units.ts';
import type { Micro } from '../../quantity.ts';
import { amountGiven, type GivenUnit } from '../../stock/entries/given-quantity.ts';
import type { Entered } from '../../stock/entries/movement.ts';
import { dayCheck, requireDay } from '../../stock/movements/effective-day.ts';
import { findStockEntities } from '../../stock/movements/find-stock-entities.ts';
import { isSameUnit, noUnits } from '../../units/item-units.ts';
import type { Rational } from '../../units/rational.ts';
import { idsOf } from './find-procured.ts';
import { type LineRow, lineOfRow } from './line.ts';
import { selectLines } from './lines.sql.ts';
import { amountOf, atLine } from './refusals.ts';
import { type RequirementRow, selectRequirements } from './requirements.sql.ts';

/** The item of a quantity, or a line or requirement that has it. */
export type Subject =
  | { item: EntityRef }
  | { requirement: EntityRef }
  /** `closes`: a receipt or a shipment, of which an inexact quantity next to what is open is all of it. */
  | { line: EntityRef; closes: boolean };

export interface GivenQuantity extends GivenUnit {
  subject: Subject;
  quantity: number;
  /** The line of the body; null where the body is one quantity. */
  index: number | null;
  /** The field of the quantity; by default `quantity`. */
  field?: string;
}

export interface GivenAmount {
  amount: Micro;
  entered: Entered | null;
}

/** Runs a read in the transaction of the call. */
export type Reading = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Reads under the configuration lock: until the transaction ends, no base unit changes and no day is closed. A call that names neither a
 * unit nor a day reads nothing, and takes the lock later.
 */
export function readingIn(tx: Tx): Reading {
  return async (work) => {
    await configurationForWriting(tx);
    return work(tx);
  };
}

/**
 * Returns the amounts in base units, in order. Reads nothing where no quantity names a unit. Throws `zero_quantity`,
 * `quantity_out_of_range`, `unit_unknown`, `quantity_inexact`.
 */
export async function amountsGiven(
  reading: Reading,
  given: readonly GivenQuantity[],
): Promise<GivenAmount[]> {
  const plain = given.map(({ index, quantity, field }) => atLine(index, () => amountOf(quantity, field)));
  if (given.every(({ unit }) => unit == null)) return plain.map((amount) => ({ amount, entered: null }));
  const known = await reading((tx) => readSubjects(tx, given));
  return given.map((one, at) => {
    const { unit, index, quantity, field = 'quantity' } = one;
    const subject = known[at];
    // A subject that does not exist is refused where the call is carried out.
    if (unit == null || subject === undefined) return { amount: plain[at] as Micro, entered: null };
    const { item, units, open, factor } = subject;
    return atLine(index, () => amountGiven(quantity, one, units, { item, field, open, ...factor }));
  });
}

/** Returns the one amount of a call. */
export async function amountOfCall(
  reading: Reading,
  given: Omit<GivenQuantity, 'index'>,
): Promise<GivenAmount> {
  const [one] = await amountsGiven(reading, [{ ...given, index: null }]);
  return one as GivenAmount;
}

/** Returns the day that the entries of a call state. Throws `validation_failed`, `stock_closed`. */
export async function dayOfCall(
  reading: Reading,
  effectiveOn: string | null | undefined,
): Promise<string | null> {
  if (effectiveOn == null) return null;
  return requireDay(await reading((tx) => dayCheck(tx, [{ effectiveOn }])), effectiveOn);
}

interface KnownSubject {
  item: string;
  units: Parameters<typeof amountGiven>[2];
  open: Micro | undefined;
  factor: { factor?: Rational };
}

async function readSubjects(tx: Tx, given: readonly GivenQuantity[]): Promise<(KnownSubject | undefined)[]> {
  const subjects = given.map(({ subject }) => subject);
  const ids = await idsOf(
    tx,
    subjects.map((one) => ('line' in one ? one.line : 'requirement' in one ? one.requirement : one.item)),
  );
  const idsIn = (refs: readonly EntityRef[]) => [...new Set(refs.flatMap((ref) => ids.get(ref) ?? []))];
  const lineIds = idsIn(subjects.flatMap((one) => ('line' in one ? [one.line] : [])));
  const requirementIds = idsIn(subjects.flatMap((one) => ('requirement' in one ? [one.requirement] : [])));
  const [lineRows, requirementRows, items] = await Promise.all([
    lineIds.length === 0 ? [] : tx.queryPrepared<LineRow>(selectLines, [tx.workspaceId, lineIds]),
    requirementIds.length === 0
      ? []
      : tx.queryPrepared<RequirementRow>(selectRequirements, [tx.workspaceId, requirementIds]),
    findStockEntities(
      tx,
      subjects.flatMap((one) => ('item' in one ? [one.item] : [])),
    ),
  ]);
  const lines = new Map(lineRows.map((row) => [row.id, lineOfRow(row)]));
  const requirements = new Map(requirementRows.map((row) => [row.id, row]));
  const found = subjects.map((one) => {
    if ('item' in one) {
      const item = items.get(one.item);
      return item === undefined ? undefined : { id: item.id, item: item.number ?? item.id };
    }
    if ('requirement' in one) {
      const row = requirements.get(ids.get(one.requirement) ?? '');
      return row === undefined ? undefined : { id: row.item_id, item: row.item_number ?? row.item_id };
    }
    const line = lines.get(ids.get(one.line) ?? '');
    if (line === undefined) return undefined;
    return { id: line.itemId, item: line.itemNumber ?? line.itemId, line, closes: one.closes };
  });
  const units = await readItemUnits(
    tx,
    found.flatMap((one) => one?.id ?? []),
  );
  return found.map((one, at) => {
    if (one === undefined) return undefined;
    const { line, closes = false } = one as { line?: ReturnType<typeof lineOfRow>; closes?: boolean };
    const unit = given[at]?.unit;
    // A line keeps the factor of the moment in which it was made.
    const own = line?.entered != null && unit != null && isSameUnit(line.entered.unit, unit);
    return {
      item: one.item,
      units: units.get(one.id) ?? noUnits,
      open: closes ? line?.open : undefined,
      factor: own && line?.entered != null ? { factor: line.entered.factor } : {},
    };
  });
}
