/** Warns of BOM lines whose quantity counts as if it were in the base unit: the child does not know their unit, or has too many base units in them. */
import type { Tx } from '../../db/transaction.ts';
import { selectConverted } from '../../entities/item-units.sql.ts';
import { readUnitsByGuid } from '../../entities/item-units.ts';
import type { SaidLine } from '../../entities/link-line.ts';
import type { MicroDouble } from '../../quantity.ts';
import { findUnit, PIECE } from '../../units/unit.ts';
import { show } from '../elements/read-fields.ts';
import type { SyncWarning } from '../elements/sync-result.ts';

interface Warned {
  warnings: readonly SyncWarning[];
}

/** The link as an element says it. */
interface Placed {
  readonly parentGuid: string | null;
  readonly quantityMicros: MicroDouble;
}

/** An entity with the links that its elements name. */
interface Linked extends Warned {
  readonly guid: string;
  readonly carrier: { readonly element: Placed };
  readonly others: readonly (Warned & Placed)[];
  readonly lines: ReadonlyMap<string, string> | null;
}

/** Base units of a link from which on its quantity counts as it was entered (`keep_base_quantity`). */
const TOO_MANY = 1_000_000_000;

/** Adds the warnings `unit_unknown` and `quantity_out_of_range` to elements. Reads nothing where no link has a unit. */
export async function warnOfUnits(tx: Tx, entities: readonly Linked[]): Promise<void> {
  const named: { entity: Linked; parentGuid: string; unit: string; quantity: number }[] = [];
  for (const entity of entities) {
    if (entity.lines === null) continue;
    for (const [parentGuid, line] of entity.lines) {
      for (const part of partsIn(line, () => quantityOf(entity, parentGuid)))
        named.push({ entity, parentGuid, ...part });
    }
  }
  if (named.length === 0) return;
  const guids = named.map(({ entity }) => entity.guid);
  const known = await readUnitsByGuid(tx, guids);
  const units = named.map(({ unit }) => unit);
  const rows = await tx.queryPrepared<{ place: number; amount: number }>(selectConverted, [
    tx.workspaceId,
    guids,
    units,
    named.map(({ quantity }) => quantity),
  ]);
  const converted = new Map(rows.map(({ place, amount }) => [place - 1, amount]));
  const sums = new Map<string, number>();
  for (const [place, { entity, parentGuid, unit }] of named.entries()) {
    const baseUnit = known.get(entity.guid)?.baseUnit ?? null;
    const amount = converted.get(place);
    if (amount !== undefined) {
      const link = `${entity.guid} ${parentGuid}`;
      const sum = (sums.get(link) ?? 0) + amount;
      sums.set(link, sum);
      if (sum < TOO_MANY) continue;
      const message = `The line is ${TOO_MANY} or more ${show(baseUnit)}, which cannot be stored. The quantity counts as it is. Correct the quantity or the unit.`;
      warn(entity, parentGuid, { code: 'quantity_out_of_range', property: 'quantity', message });
      continue;
    }
    // Of an item without a base unit, pieces are understood.
    if (baseUnit === null && findUnit(unit) === PIECE) continue;
    const base = baseUnit === null ? 'it has no base unit' : `its base unit is ${baseUnit}`;
    const message = `The item does not know the unit ${show(unit)}: ${base}. The quantity counts as it is. Define the unit of the item.`;
    warn(entity, parentGuid, { code: 'unit_unknown', property: 'unit', message });
  }
}

/** Returns the units that elements say of a link with their quantities; several where the child has several lines. */
function partsIn(line: string, quantity: () => number): { unit: string; quantity: number }[] {
  if (!line.includes('"unit":"')) return [];
  const { unit, lines } = JSON.parse(line) as SaidLine;
  const parts = lines ?? [{ unit, quantity: quantity() }];
  return parts.flatMap((part) => (part.unit == null ? [] : [{ unit: part.unit, quantity: part.quantity }]));
}

/** Returns the quantity of a link with one line: the sum of what its elements say. */
function quantityOf({ carrier, others }: Linked, parentGuid: string): number {
  const own = [carrier.element, ...others].filter((one) => one.parentGuid === parentGuid);
  return own.reduce((sum, { quantityMicros }) => sum + quantityMicros, 0) / 1e6;
}

/** Gives the warning to the first element that names the link. */
function warn(entity: Linked, parentGuid: string, warning: SyncWarning): void {
  const isCarrier = entity.carrier.element.parentGuid === parentGuid;
  const warned: Warned | undefined = isCarrier
    ? entity
    : entity.others.find((other) => other.parentGuid === parentGuid);
  if (warned === undefined || warned.warnings.some(({ code }) => code === warning.code)) return;
  warned.warnings = [...warned.warnings, warning];
}
