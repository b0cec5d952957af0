/**
 * Reserves or orders many items of a project at once, all or nothing. Each item is supplied for the project's open
 * requirements; a need that no requirement covers gets one in the same transaction.
 */
import { numbersOf } from '../../configuration/number-blocks.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, resolveEntityIds } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { singleCall, singleDone } from '../../group-commit/gathering.ts';
import { type Micro, microOfDecimal, microUp } from '../../quantity.ts';
import { createLines } from '../lines/create-lines.ts';
import type { CreatedLines, WantedLine } from '../lines/drafts.ts';
import { greatest, least } from '../records/amounts.ts';
import { selectAvailablePositions } from '../records/available-positions.sql.ts';
import { lockProject, type Project } from '../records/find-procured.ts';
import { type Requirement, requirementOfRow } from '../records/requirement.ts';
import { type RequirementRow, selectRequirementsOfProjects } from '../records/requirements.sql.ts';
import { supplierKey } from '../records/suppliers/supplier-key.ts';
import { selectSuppliersOfItems } from '../records/suppliers/suppliers.sql.ts';
import { createRequirements } from '../requirements/raise-requirements.ts';
import {
  type MovedRequirement,
  type ReservationRequest,
  reserveRequirements,
} from '../requirements/reserve-requirements.ts';
import { findShortages, type ItemNeed } from './find-shortages.ts';
import type { Named } from './show-shortages.ts';
import { selectNames } from './structure.sql.ts';
import type { StructureBasis } from './structure-below.ts';

/** Number of locations of an item that are reserved from, those with the most first. */
const LOCATIONS_MAX = 20;

/** An item of the project, with the project's requirements for it. */
interface ProjectItem extends Named {
  need: ItemNeed;
  wanting: Requirement[];
  /** On order for the project's requirements. */
  underWay: Micro;
}

/** The project, locked so that nobody else creates requirements for the same shortages. */
interface Supplying {
  by: Mover;
  project: Project;
  items: ReadonlyMap<EntityRef, ProjectItem>;
}

/**
 * Throws `entity_not_found`, `not_a_project`, `tree_too_large`, `quantity_out_of_range`, and `validation_failed` for an
 * item that the project does not need, or that is named twice.
 */
async function beginSupplying(
  tx: Tx,
  by: Mover,
  { project: ref, items }: { project: EntityRef; items: readonly EntityRef[] },
  basis: StructureBasis,
): Promise<Supplying> {
  const project = await lockProject(tx, ref);
  const ids = await resolveEntityIds(tx, items);
  const wanted = [...new Set(ids.values())];
  const idOf = (item: EntityRef) => ids.get(item) ?? item;
  for (const [index, item] of items.entries()) {
    const isFirst = items.findIndex((other) => idOf(other) === idOf(item)) === index;
    if (!isFirst) throw refusedItem(index, 'duplicate_item', `Item ${item} is named twice.`);
  }
  const needs = new Map((await findShortages(tx, project.id, basis)).map((need) => [need.id, need]));
  const [names, rows] = await Promise.all([
    tx.query<Named>(selectNames, [tx.workspaceId, wanted]),
    tx.query<RequirementRow>(selectRequirementsOfProjects, [tx.workspaceId, [project.id], wanted]),
  ]);
  const nameOf = new Map(names.map((row) => [row.id, row]));
  const ofItem = Map.groupBy(rows.map(requirementOfRow), ({ itemId }) => itemId);
  const found = items.map((item, index): [EntityRef, ProjectItem] => {
    const id = ids.get(item) ?? '';
    const [named, need] = [nameOf.get(id), needs.get(id)];
    if (named === undefined || need === undefined) {
      const { number } = project;
      const place = 'it is neither in its structure nor in its requirements';
      throw refusedItem(
        index,
        'not_needed',
        `Project ${number ?? project.id} needs no item ${item}: ${place}.`,
      );
    }
    const requirements = (ofItem.get(id) ?? []).filter(({ status }) => status !== 'cancelled');
    const wanting = requirements.filter(({ needed }) => needed > 0n);
    return [item, { ...named, need, wanting, underWay: sumOf(requirements, ({ underWay }) => underWay) }];
  });
  return { by, project, items: new Map(found) };
}

function refusedItem(index: number, code: string, message: string): AppError {
  return new AppError('validation_failed', {
    detail: `The request is not valid. ${message}`,
    errors: [{ pointer: `/lines/${index}/itemEntityId`, code, message }],
  });
}

/** The quantity of an item that needs a new requirement. */
interface Beyond {
  item: ProjectItem;
  amount: Micro;
}

/** Creates the requirements and adds them to those of their items. */
async function requireMore(
  tx: Tx,
  { by, project }: Supplying,
  beyond: readonly Beyond[],
  requiredBy: string | null,
): Promise<void> {
  const wanted = beyond.filter(({ amount }) => amount > 0n);
  const made = await createRequirements(
    tx,
    wanted.map(({ item, amount }) => ({
      actor: by.actor,
      project,
      line: null,
      item,
      amount,
      requiredBy,
      followsStructure: true,
    })),
  );
  for (const [index, { item }] of wanted.entries()) item.wanting.push(made[index] as Requirement);
}

export interface WantedReservations {
  project: EntityRef;
  items: readonly EntityRef[];
  note: string | null;
}

/**
 * Reserves what is available of the items, up to what the project still needs. Returns what was reserved at which
 * location. Throws as `beginSupplying` and `reserveRequirements` do.
 */
export async function reserveShortages(
  tx: Tx,
  by: Mover,
  { project, items, note }: WantedReservations,
  basis: StructureBasis,
): Promise<MovedRequirement[]> {
  const supplying = await beginSupplying(tx, by, { project, items }, basis);
  const chosen = [...supplying.items.values()];
  const positions = await tx.query<{ item_id: string; location_id: string; available: string }>(
    selectAvailablePositions,
    [tx.workspaceId, chosen.map(({ id }) => id), LOCATIONS_MAX],
  );
  const places = Map.groupBy(positions, ({ item_id }) => item_id);
  const wanted = chosen.map((item) => {
    const own = (places.get(item.id) ?? []).map(({ location_id, available }) => ({
      location: location_id,
      left: microOfDecimal(available),
    }));
    const uncovered = microUp(item.need.needed) - item.need.reserved - item.underWay;
    const most = greatest(uncovered, item.need.openRequired);
    return {
      item,
      own,
      amount: greatest(
        0n,
        least(
          most,
          sumOf(own, ({ left }) => left),
        ),
      ),
    };
  });
  const beyond = wanted.map(({ item, amount }) => ({ item, amount: amount - item.need.openRequired }));
  await requireMore(tx, supplying, beyond, null);
  const requests = wanted.flatMap(({ item, own, amount }) =>
    spread(item.wanting, 'needed', amount).flatMap(({ requirement, part }): ReservationRequest[] =>
      takeFrom(own, part).map((taken) => ({ by, requirement: requirement.id, note, ...taken })),
    ),
  );
  if (requests.length === 0) return [];
  const outcomes = await reserveRequirements(tx, requests, singleCall());
  return outcomes.map((outcome) => singleDone([outcome]));
}

/** Takes the amount from the locations in their order. */
function takeFrom(
  places: { location: string; left: Micro }[],
  amount: Micro,
): { location: string; amount: Micro }[] {
  let wanted = amount;
  return places.flatMap((place) => {
    const taken = least(place.left, wanted);
    place.left -= taken;
    wanted -= taken;
    return taken > 0n ? [{ location: place.location, amount: taken }] : [];
  });
}

export interface WantedOrders {
  project: EntityRef;
  location: EntityRef;
  /** `supplier`: undefined for the supplier of the item, null for none. */
  lines: readonly { item: EntityRef; amount: Micro; supplier: string | null | undefined }[];
  state: 'Draft' | 'Ordered';
  requiredBy: string | null;
  note: string | null;
}

/**
 * Creates one purchase order for each supplier. An item is ordered for the project's open requirements first; what is
 * ordered beyond the project's need is for nobody. Throws as `beginSupplying` and `createLines` do.
 */
export async function orderShortages(
  tx: Tx,
  by: Mover,
  wanted: WantedOrders,
  basis: StructureBasis,
): Promise<CreatedLines[]> {
  const { project, location, requiredBy, note, state } = wanted;
  const items = wanted.lines.map(({ item }) => item);
  const supplying = await beginSupplying(tx, by, { project, items }, basis);
  const ids = [...supplying.items.values()].map(({ id }) => id);
  const suppliers = new Map(
    (await tx.query<{ id: string; name: string }>(selectSuppliersOfItems, [tx.workspaceId, ids])).map(
      ({ id, name }) => [id, name],
    ),
  );
  const lines = wanted.lines.map(({ item: ref, amount, supplier }) => {
    const item = supplying.items.get(ref) as ProjectItem;
    return { item, amount, supplier: supplier === undefined ? (suppliers.get(item.id) ?? null) : supplier };
  });
  const beyond = lines.map(({ item, amount }) => ({
    item,
    amount: least(amount, microUp(item.need.short)) - item.need.openRequired,
  }));
  await requireMore(tx, supplying, beyond, requiredBy);
  const orders: CreatedLines[] = [];
  for (const [, own] of Map.groupBy(lines, ({ supplier }) =>
    supplier === null ? '' : supplierKey(supplier),
  )) {
    const parts = own.flatMap(({ item, amount }): WantedLine[] => {
      const common = { location, requiredBy, note, state };
      const spreads = spread(item.wanting, 'open', amount);
      const free = amount - sumOf(spreads, ({ part }) => part);
      return [
        ...spreads.map(({ requirement, part }) => ({
          ...common,
          item: null,
          requirement: requirement.id,
          amount: part,
        })),
        ...(free > 0n ? [{ ...common, item: item.id, amount: free }] : []),
      ];
    });
    const request = {
      by,
      type: 'purchaseOrder' as const,
      order: null,
      supplier: own[0]?.supplier ?? null,
      lines: parts,
      isList: false,
    };
    orders.push(singleDone(await createLines(tx, numbersOf(tx), [request], singleCall())));
  }
  return orders;
}

/** Spreads an amount over what requirements need, or have open, in their order. */
function spread(
  requirements: readonly Requirement[],
  figure: 'needed' | 'open',
  amount: Micro,
): { requirement: Requirement; part: Micro }[] {
  let left = amount;
  return requirements.flatMap((requirement) => {
    const part = least(requirement[figure], left);
    left -= part;
    return part > 0n ? [{ requirement, part }] : [];
  });
}

function sumOf<Item>(items: readonly Item[], amount: (item: Item) => Micro): Micro {
  return items.reduce((sum, item) => sum + amount(item), 0n);
}
