/** Checks what a call says of one movement: the quantity in range, the item an item, the locations locations. */
import { type EntityRef, noEntity } from '../../entities/resolve-entity.ts';
import { AppError, type ErrorCode, type FieldError } from '../../errors.ts';
import { type Micro, microOfNumber } from '../../quantity.ts';
import { type ItemUnits, noUnits } from '../../units/item-units.ts';
import { amountGiven, type GivenUnit } from '../entries/given-quantity.ts';
import type { Entered } from '../entries/movement.ts';
import { nameOf, notFor, type StockEntity } from './find-stock-entities.ts';

/** The errors of this file, for the routes' declarations. */
export const placeErrors = [
  'quantity_out_of_range',
  'zero_quantity',
  'unit_unknown',
  'quantity_inexact',
  'entity_not_found',
  'not_an_item',
  'not_a_location',
] as const satisfies readonly ErrorCode[];

export interface Finding extends FieldError {
  code: ErrorCode;
  /** Further fields of the problem, if this is the first finding. */
  extensions?: Record<string, unknown> | undefined;
}

export interface CheckedPlaces<Field extends string> {
  amount: Micro;
  entered: Entered | null;
  item: StockEntity;
  locations: Record<Field, StockEntity>;
}

const FINDINGS_MAX = 100;

/** Returns what `check` makes of each. Throws the first finding's code, with all findings (at most 100) in `errors`. */
export function checkEach<Given, Checked extends object>(
  given: readonly Given[],
  check: (one: Given, index: number) => Checked | Finding[],
): Checked[] {
  const findings: Finding[] = [];
  const checked: Checked[] = [];
  for (const [index, one] of given.entries()) {
    const result = check(one, index);
    if (!Array.isArray(result)) checked.push(result);
    else if (findings.push(...result) >= FINDINGS_MAX) break;
  }
  const [first] = findings;
  if (first !== undefined) {
    const { code, message: detail, extensions } = first;
    const errors = findings.slice(0, FINDINGS_MAX).map(({ extensions: _, ...finding }) => finding);
    throw new AppError(code, { detail, errors, ...(extensions === undefined ? {} : { extensions }) });
  }
  return checked;
}

/** Entities that a call names, and units of the items whose quantities name one. */
export interface Named {
  found: ReadonlyMap<EntityRef, StockEntity>;
  units: ReadonlyMap<string, ItemUnits>;
}

export interface GivenMovement extends GivenUnit {
  itemEntityId: EntityRef;
  quantity: number;
}

/** Returns the items of which a quantity names a unit. */
export function itemsWithUnits(
  given: readonly GivenMovement[],
  found: ReadonlyMap<EntityRef, StockEntity>,
): string[] {
  return given
    .filter(({ unit }) => unit != null)
    .flatMap(({ itemEntityId }) => found.get(itemEntityId)?.id ?? []);
}

/** `locations` has a reference for each field that names one; `pointer` is where the fields stand in the body. */
export function checkPlaces<Field extends string>(
  given: GivenMovement,
  locations: Readonly<Record<Field, EntityRef>>,
  { found, units }: Named,
  pointer: string,
): CheckedPlaces<Field> | Finding[] {
  const findings: Finding[] = [];
  const find = (field: string, code: ErrorCode, message: string) =>
    findings.push({ pointer: `${pointer}/${field}`, code, message });

  const { itemEntityId, quantity } = given;
  const amount = microOfNumber(quantity);
  if (amount === null) {
    find('quantity', 'quantity_out_of_range', `${quantity} has more than 9 integer or 6 fractional digits.`);
  } else if (amount === 0n) {
    find('quantity', 'zero_quantity', 'A quantity of zero would make an empty ledger entry.');
  }
  const item = found.get(itemEntityId);
  if (item === undefined) find('itemEntityId', 'entity_not_found', noEntity(itemEntityId));
  else if (!item.isItem) find('itemEntityId', 'not_an_item', notFor('items', item));
  const places: Partial<Record<Field, StockEntity>> = {};
  for (const field in locations) {
    const ref = locations[field];
    const location = found.get(ref);
    if (location === undefined) find(field, 'entity_not_found', noEntity(ref));
    else if (!location.isLocation) find(field, 'not_a_location', notFor('locations', location));
    else if (location.id === item?.id)
      find(field, 'not_a_location', `${nameOf(location)} cannot be stored in itself.`);
    else places[field] = location;
  }
  if (findings.length > 0 || amount === null || item === undefined) return findings;
  const checked = { item, locations: places as Record<Field, StockEntity> };
  if (given.unit == null) return { ...checked, amount, entered: null };
  try {
    const field = `${pointer}/quantity`.slice(1);
    const of = { item: nameOf(item), field };
    return { ...checked, ...amountGiven(quantity, given, units.get(item.id) ?? noUnits, of) };
  } catch (error) {
    if (!(error instanceof AppError) || error.errors === undefined) throw error;
    return error.errors.map((one) => ({ ...one, code: error.code, extensions: error.extensions }));
  }
}
