/** The components of an item: one level of its structure, with phantoms replaced by their own components. */
import type { Tx } from '../../db/transaction.ts';
import { exactOfNumber, withLoss } from '../../entities/explosion/losses.ts';
import { linesOf, type PartLine, type Substitute } from '../../entities/links/link-line.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { add, type Exact, exactOf, type Micro, microUp, one, times, zero } from '../../quantity.ts';
import { type ChildRow, selectChildren, selectChildrenOfRevision } from './structure.sql.ts';

/** Components of one line that a call handles. */
export const COMPONENTS_MAX = 10_000;

export interface ItemComponent {
  readonly id: string;
  readonly number: string | null;
  readonly name: string;
  readonly picture: string | null;
  readonly revision: number;
  readonly unit: string | null;
  /** Quantity for one unit of output, with the loss in percent. */
  readonly perUnit: Exact;
  /** Quantity beside that for the whole line: fixed losses. */
  readonly perOrder: Exact;
  readonly substitutes: readonly Substitute[];
}

/** Returns the quantity of a component for so many units of output, rounded up. */
export function neededFor(
  { perUnit, perOrder }: Pick<ItemComponent, 'perUnit' | 'perOrder'>,
  units: Micro,
): Micro {
  return units <= 0n ? 0n : microUp(add(times(exactOf(units), perUnit), perOrder));
}

interface Need {
  perUnit: Exact;
  perOrder: Exact;
}

/**
 * Returns the components of a revision of the item; `revision` null: the present one. Components of phantoms are those of the phantom's
 * present revision. A component that occurs several times is returned once, with the sum. Throws `tree_too_large`.
 */
export async function explodeItem(tx: Tx, itemId: string, revision: number | null): Promise<ItemComponent[]> {
  const { workspaceId } = tx;
  const rows = COMPONENTS_MAX + 1;
  let read = 0;
  const take = (children: ChildRow[]) => {
    read += children.length;
    if (read <= COMPONENTS_MAX) return children;
    throw new AppError('tree_too_large', {
      detail: `The item has more than ${COMPONENTS_MAX} components.`,
      extensions: { limit: COMPONENTS_MAX },
    });
  };
  let level = take(
    revision === null
      ? await tx.query<ChildRow>(selectChildren, [workspaceId, [itemId], rows])
      : await tx.query<ChildRow>(selectChildrenOfRevision, [workspaceId, itemId, rows, revision]),
  );
  const found = new Map<string, ItemComponent>();
  let parents = new Map<string, Need>([[itemId, { perUnit: one, perOrder: zero }]]);
  const slices = new Slices(tx.gone);
  // The structure has no cycle, so that this ends.
  while (level.length > 0) {
    const phantoms = new Map<string, ItemComponent>();
    for (const { child, line } of eachLine(level)) {
      if (slices.areDue) await slices.next();
      const need = needOf(line, parents.get(child.parent_id) as Need);
      join(line.phantom === true ? phantoms : found, componentOf(child, line, need));
    }
    level =
      phantoms.size === 0
        ? []
        : take(await tx.query<ChildRow>(selectChildren, [workspaceId, [...phantoms.keys()].sort(), rows]));
    // A phantom without components is a component itself.
    const withComponents = new Set(level.map(({ parent_id: id }) => id));
    for (const [id, phantom] of phantoms) if (!withComponents.has(id)) join(found, phantom);
    parents = phantoms;
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function join(found: Map<string, ItemComponent>, one: ItemComponent): void {
  const before = found.get(one.id);
  const substitutes =
    before === undefined ? one.substitutes : distinct([...before.substitutes, ...one.substitutes]);
  found.set(one.id, { ...one, ...sum(before, one), substitutes });
}

function componentOf(
  { id, number, name, picture, revision, unit }: ChildRow,
  line: PartLine,
  need: Need,
): ItemComponent {
  return { id, number, name, picture, revision, unit, ...need, substitutes: line.substitutes ?? [] };
}

function* eachLine(children: readonly ChildRow[]): Generator<{ child: ChildRow; line: PartLine }> {
  for (const child of children) for (const line of linesOf(child)) yield { child, line };
}

/** The loss in percent multiplies, the fixed loss adds. */
function needOf({ quantity, lossPercent, lossFixed }: PartLine, parent: Need): Need {
  const factor = withLoss(exactOfNumber(quantity), exactOfNumber(lossPercent));
  return {
    perUnit: times(parent.perUnit, factor),
    perOrder: add(times(parent.perOrder, factor), exactOfNumber(lossFixed)),
  };
}

function sum(before: Need | undefined, { perUnit, perOrder }: Need): Need {
  if (before === undefined) return { perUnit, perOrder };
  return { perUnit: add(before.perUnit, perUnit), perOrder: add(before.perOrder, perOrder) };
}

function distinct(substitutes: readonly Substitute[]): Substitute[] {
  return [...new Map(substitutes.map((substitute) => [substitute.guid, substitute])).values()];
}
