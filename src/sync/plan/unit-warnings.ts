/** Warns of BOM lines in a unit that the child does not know: their quantity is taken as if it were in the base unit. */
import type { Tx } from '../../db/transaction.ts';
import { selectConverted } from '../../entities/item-units.sql.ts';
import { readUnitsByGuid } from '../../entities/item-units.ts';
import { findUnit, PIECE } from '../../units/unit.ts';
import { show } from '../elements/read-fields.ts';
import type { SyncWarning } from '../elements/sync-result.ts';

interface Warned {
  warnings: readonly SyncWarning[];
}

/** An entity with the links that its elements name. */
interface Linked extends Warned {
  readonly guid: string;
  readonly carrier: { readonly element: { readonly parentGuid: string | null } };
  readonly others: readonly (Warned & { readonly parentGuid: string | null })[];
  readonly lines: ReadonlyMap<string, string> | null;
}

/** Adds the warning `unit_unknown` to elements. Reads nothing where no link has a unit. */
export async function warnOfUnits(tx: Tx, entities: readonly Linked[]): Promise<void> {
  const named: { entity: Linked; parentGuid: string; unit: string }[] = [];
  for (const entity of entities) {
    if (entity.lines === null) continue;
    for (const [parentGuid, line] of entity.lines) {
      for (const unit of unitsIn(line)) named.push({ entity, parentGuid, unit });
    }
  }
  if (named.length === 0) return;
  const guids = named.map(({ entity }) => entity.guid);
  const known = await readUnitsByGuid(tx, guids);
  const units = named.map(({ unit }) => unit);
  const rows = await tx.queryPrepared<{ place: number }>(selectConverted, [tx.workspaceId, guids, units]);
  const converted = new Set(rows.map(({ place }) => place - 1));
  for (const [place, { entity, parentGuid, unit }] of named.entries()) {
    const baseUnit = known.get(entity.guid)?.baseUnit ?? null;
    // Of an item without a base unit, pieces are understood.
    if (converted.has(place) || (baseUnit === null && findUnit(unit) === PIECE)) continue;
    const base = baseUnit === null ? 'it has no base unit' : `its base unit is ${baseUnit}`;
    const message = `The item does not know the unit ${show(unit)}: ${base}. The quantity counts as it is. Define the unit of the item.`;
    warn(entity, parentGuid, { code: 'unit_unknown', property: 'unit', message });
  }
}

/** The units that elements say of a link; several where the child has several lines. */
function unitsIn(line: string): string[] {
  if (!line.includes('"unit":"')) return [];
  const { unit, lines = [] } = JSON.parse(line) as { unit?: unknown; lines?: { unit?: unknown }[] };
  return [unit, ...lines.map((one) => one.unit)].filter((one) => typeof one === 'string');
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
