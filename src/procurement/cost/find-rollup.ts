/** Adds a numeric property up over a structure: how much of it all that is contained has. */
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { PropertyConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import {
  type Exact,
  exactOfDecimal,
  exactText,
  type Micro,
  numberOf,
  timesInFull,
  zero,
} from '../../quantity.ts';
import type { Named } from '../shortages/show-shortages.ts';
import { selectNames } from '../shortages/structure.sql.ts';
import type { StructureBasis } from '../shortages/structure-below.ts';
import { selectValues } from './cost.sql.ts';
import { type Needed, purchasedNeeds } from './purchased-needs.ts';
import { ROLLUP_ITEMS_MAX, type Rollup } from './rollup.schema.ts';

const ITEMS_AT_ONCE = 1000;
/** Items of which the largest are kept: very many are not sorted at once. */
const SORTED_AT_ONCE = 2 * ROLLUP_ITEMS_MAX;

export interface RollupBasis extends StructureBasis {
  property: string;
  quantity: Micro;
}

interface Valued extends Needed {
  readonly value: Exact;
  readonly amount: number;
}

/** Throws `unknown_property`, `validation_failed`, `tree_too_large`, `cycle`, `quantity_out_of_range`. */
export async function findRollup(
  tx: Tx,
  itemId: string,
  { property: key, quantity, ...basis }: RollupBasis,
): Promise<Rollup> {
  const property = numericProperty(await loadConfiguration(tx), key);
  const slices = new Slices(tx.gone);
  // A loss is consumed, and not a part of what is made.
  const needs = await purchasedNeeds(tx, itemId, { ...basis, quantity, isContained: true }, slices);
  const values = await readValues(tx, [itemId, ...needs.map(({ id }) => id)], key, slices);
  const unknown: Needed[] = [];
  let itemCount = 0;
  let shown: Valued[] = [];
  let total = zero;
  for (const one of needs) {
    const value = values.get(one.id);
    if (value === undefined) unknown.push(one);
    else {
      const amount = timesInFull(one.exact, value);
      total = sumInFull(total, amount);
      itemCount++;
      shown.push({ ...one, value, amount: finite(numberFrom(amount)) });
      if (shown.length === SORTED_AT_ONCE) shown = largestOf(shown);
    }
    if (slices.areDue) await slices.next();
  }
  shown = largestOf(shown);
  const missing = unknown.slice(0, ROLLUP_ITEMS_MAX);
  const ids = [itemId, ...shown.map(({ id }) => id), ...missing.map(({ id }) => id)];
  const names = new Map(
    (await tx.query<Named>(selectNames, [tx.workspaceId, ids])).map((row) => [row.id, row]),
  );
  const labelOf = (id: string) => ({
    itemEntityId: id,
    itemNumber: names.get(id)?.number ?? null,
    itemName: names.get(id)?.name ?? '',
  });
  const stated = values.get(itemId);
  const sum = finite(numberFrom(total));
  const perUnit = finite(sum / numberOf(quantity));
  return {
    ...labelOf(itemId),
    property: key,
    propertyName: property.name,
    unit: property.unit,
    quantity: numberOf(quantity),
    revision: basis.revision ?? null,
    total: itemCount === 0 ? null : sum,
    perUnit: itemCount === 0 ? null : Number(perUnit.toPrecision(15)),
    stated: stated === undefined ? null : numberFrom(stated),
    itemCount,
    items: shown.map(({ id, exact, value, amount }) => ({
      ...labelOf(id),
      quantity: numberFrom(exact),
      value: numberFrom(value),
      amount,
    })),
    unknownCount: unknown.length,
    unknown: missing.map(({ id, exact }) => ({ ...labelOf(id), quantity: numberFrom(exact) })),
  };
}

function numericProperty(
  { properties }: { properties: ReadonlyMap<string, PropertyConfiguration> },
  key: string,
): PropertyConfiguration {
  const property = properties.get(key);
  if (property === undefined)
    throw new AppError('unknown_property', {
      detail: `The workspace defines no property "${key}". Keys have the case of their definitions.`,
      errors: [{ pointer: '/property', code: 'unknown_property', message: 'No such property.' }],
    });
  if (property.type === 'numeric') return property;
  const message = `Property "${key}" is of the type ${property.type}. Only numbers can be added up.`;
  throw new AppError('validation_failed', {
    detail: message,
    errors: [{ pointer: '/property', code: 'invalid_value', message }],
  });
}

async function readValues(
  tx: Tx,
  ids: readonly string[],
  key: string,
  slices: Slices,
): Promise<Map<string, Exact>> {
  const found = new Map<string, Exact>();
  for (let from = 0; from < ids.length; from += ITEMS_AT_ONCE) {
    const some = ids.slice(from, from + ITEMS_AT_ONCE);
    const rows = await tx.query<{ id: string; value: string }>(selectValues, [tx.workspaceId, some, key]);
    for (const { id, value } of rows) found.set(id, exactOfDecimal(value));
    if (slices.areDue) await slices.next();
  }
  return found;
}

/** With every digit: values can be below zero, and are no quantities. */
function sumInFull(a: Exact, b: Exact): Exact {
  const scale = Math.max(a.scale, b.scale);
  const at = (one: Exact) => one.digits * 10n ** BigInt(scale - one.scale);
  return { digits: at(a) + at(b), scale };
}

function numberFrom({ digits, scale }: Exact): number {
  return digits < 0n ? -Number(exactText({ digits: -digits, scale })) : Number(exactText({ digits, scale }));
}

/** Throws `quantity_out_of_range`. */
function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new AppError('quantity_out_of_range', 'The sum, or a part of it, is beyond what a number holds.');
}

/** Returns those that are shown: the largest first, and those of equal amounts by their ids. */
function largestOf(some: Valued[]): Valued[] {
  return some
    .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount) || (a.id < b.id ? -1 : 1))
    .slice(0, ROLLUP_ITEMS_MAX);
}
