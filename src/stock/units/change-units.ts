/**
 * Shows and replaces the units of an item. Its base unit stands still once the item has ledger entries, order lines or requirements, because
 * their quantities are in it.
 */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { lockConfiguration } from '../../configuration/lock-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockStructure } from '../../entities/links/lock-structure.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { readItemUnits } from '../../entities/units/item-units.ts';
import { AppError, invalidValue } from '../../errors.ts';
import { factorOf, noUnits, unitKey } from '../../units/item-units.ts';
import { commonUnitsLike, findUnit } from '../../units/unit.ts';
import { findItem, type StockEntity } from '../movements/find-stock-entities.ts';
import type { ItemUnits, NewItemUnits } from './units.schema.ts';
import {
  countLinksWithUnits,
  deleteBaseUnit,
  deleteItemUnits,
  forgetBaseQuantities,
  insertItemUnits,
  lockUnits,
  remakeBaseQuantities,
  selectUnitsState,
  upsertBaseUnit,
} from './units.sql.ts';

/** Throws `entity_not_found`, `not_an_item`. */
export async function readUnits(tx: Tx, ref: EntityRef): Promise<ItemUnits> {
  return show(tx, await findItem(tx, ref));
}

/**
 * `check` sees the units as they are locked, and may refuse. Throws `entity_not_found`, `not_an_item`, `validation_failed`,
 * `base_unit_in_use`, `too_many_uses`.
 */
export async function changeUnits(
  tx: Tx,
  actor: Actor,
  ref: EntityRef,
  { baseUnit, units, linksMax }: Pick<NewItemUnits, 'baseUnit' | 'units'> & { linksMax: number },
  check: (locked: ItemUnits) => void,
): Promise<ItemUnits> {
  const item = await findItem(tx, ref);
  const stored = (await readItemUnits(tx, [item.id])).get(item.id)?.baseUnit ?? null;
  // Calls that make the first entry, line or requirement share this lock: they wait, or are seen below.
  if (stored !== null && stored !== baseUnit) await lockConfiguration(tx);
  // No link of the item is made meanwhile with the former units.
  await configurationForWriting(tx);
  await lockStructure(tx);
  await tx.query(lockUnits, [tx.workspaceId, item.id]);
  const before = await show(tx, item);
  check(before);
  requireSound(baseUnit, units);
  if (baseUnit !== before.baseUnit && before.isFixed && before.baseUnit !== null) {
    throw new AppError('base_unit_in_use', {
      detail: `Quantities of ${item.number ?? item.id} are kept in ${before.baseUnit}, so this stays its base unit. Add other units with their factors, or use another item.`,
      extensions: { baseUnit: before.baseUnit },
    });
  }
  const after = { baseUnit, units: units.toSorted((a, b) => (a.unit < b.unit ? -1 : 1)) };
  const stated = { baseUnit: before.baseUnit, units: before.units };
  if (JSON.stringify(after) === JSON.stringify(stated)) return before;
  await requireFewLinks(tx, item, linksMax);
  await tx.query(deleteItemUnits, [tx.workspaceId, item.id]);
  if (baseUnit === null) await tx.query(deleteBaseUnit, [tx.workspaceId, item.id]);
  else {
    const known = findUnit(baseUnit);
    await tx.query(upsertBaseUnit, [
      tx.workspaceId,
      item.id,
      baseUnit,
      known?.dimension ?? null,
      known?.factor.numerator.toString() ?? null,
      known?.factor.denominator.toString() ?? null,
    ]);
    await tx.query(insertItemUnits, [
      tx.workspaceId,
      item.id,
      after.units.map(({ unit }) => unit),
      after.units.map(({ numerator }) => numerator),
      after.units.map(({ denominator }) => denominator),
    ]);
  }
  await tx.query(baseUnit === null ? forgetBaseQuantities : remakeBaseQuantities, [tx.workspaceId, item.id]);
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'entity',
    subjectKey: item.id,
    before: { number: item.number, ...stated },
    after: { number: item.number, ...after },
  });
  return show(tx, item);
}

/** Refuses units without a base unit, a name twice, and a factor that contradicts UCUM. */
function requireSound(baseUnit: string | null, units: NewItemUnits['units']): void {
  if (baseUnit === null && units.length > 0)
    throw invalid('baseUnit', 'Other units need a base unit to which their factors lead.');
  const names = new Set(baseUnit === null ? [] : [unitKey(baseUnit)]);
  for (const [index, { unit, numerator, denominator }] of units.entries()) {
    if (names.has(unitKey(unit))) throw invalid(`units/${index}/unit`, `Unit ${unit} is named twice.`);
    names.add(unitKey(unit));
    const known = factorOf({ ...noUnits, baseUnit }, unit);
    const isSame =
      known === null || known.numerator * BigInt(denominator) === known.denominator * BigInt(numerator);
    if (!isSame) {
      const message = `One ${unit} is always ${known.numerator}/${known.denominator} ${baseUnit}. Leave it out, or name the unit otherwise.`;
      throw invalid(`units/${index}/numerator`, message);
    }
  }
}

function invalid(field: string, message: string): AppError {
  return invalidValue(`/${field}`, message, 'The units are not valid.');
}

/** The quantities of all these links are computed in this transaction, while nobody edits structure: that must not take long. */
async function requireFewLinks(tx: Tx, { id, number }: StockEntity, linksMax: number): Promise<void> {
  const [found] = await tx.query<{ count: number }>(countLinksWithUnits, [tx.workspaceId, id, linksMax + 1]);
  if (found === undefined || found.count <= linksMax) return;
  throw new AppError('too_many_uses', {
    detail: `More than ${linksMax} assemblies use ${number ?? id} with a unit or in several lines. Their quantities cannot all follow its units in one call. Set the units before the item is used so often, or ask the operator to raise UNIT_LINKS_MAX.`,
    extensions: { linksMax },
  });
}

async function show(tx: Tx, { id, number, name }: StockEntity): Promise<ItemUnits> {
  const [state] = await tx.query<{ is_used: boolean }>(selectUnitsState, [tx.workspaceId, id]);
  const own = (await readItemUnits(tx, [id])).get(id);
  const baseUnit = own?.baseUnit ?? null;
  const known = baseUnit === null ? null : findUnit(baseUnit);
  const measured = known === null ? [] : commonUnitsLike(known);
  return {
    itemEntityId: id,
    itemNumber: number,
    itemName: name,
    baseUnit,
    units: (own?.names ?? []).map((unit) => {
      const factor = own?.factors.get(unitKey(unit));
      return { unit, numerator: Number(factor?.numerator), denominator: Number(factor?.denominator) };
    }),
    measured,
    conversions: [...(own?.names ?? []), ...measured].flatMap((unit) => {
      const factor = own === undefined ? null : factorOf(own, unit);
      if (factor === null) return [];
      return [{ unit, numerator: Number(factor.numerator), denominator: Number(factor.denominator) }];
    }),
    isFixed: state?.is_used === true,
  };
}
