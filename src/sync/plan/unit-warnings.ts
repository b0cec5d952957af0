/** Warns of BOM lines whose quantity counts as if it were in the base unit. */
import type { Tx } from '../../db/transaction.ts';
import type { SaidLine } from '../../entities/links/link-line.ts';
import { findUnitFaults } from '../../entities/structure/unit-faults.ts';
import type { MicroDouble } from '../../quantity.ts';
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
  const measured = named.map(({ entity, parentGuid, unit, quantity }) => ({
    item: entity.guid,
    link: `${entity.guid} ${parentGuid}`,
    unit,
    quantity,
  }));
  const faults = await findUnitFaults(tx, measured, 'guid');
  for (const [place, { entity, parentGuid }] of named.entries()) {
    const fault = faults[place];
    if (fault != null) warn(entity, parentGuid, fault);
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
