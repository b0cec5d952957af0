/** Opens manufacturing lines for a build: locks their requirements and the stock that it may take, in the order of transition-effect.ts. */
import type { Actor } from '../../actor.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { exactOfDecimal, microOfDecimal, zero } from '../../quantity.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import { type LockedPositions, openPositions, readPositions } from '../../stock/movements/record-requests.ts';
import { type AvailableRow, selectAvailablePositions } from '../records/available-positions.sql.ts';
import { isFinal, type Line } from '../records/line.ts';
import { type LockedEntity, lockEntities } from '../records/procured-entities.sql.ts';
import { type Requirement, requirementOfRow, requirementStates } from '../records/requirement.ts';
import { RequirementChanges } from '../records/requirement-changes.ts';
import { type RequirementRow, selectRequirements } from '../records/requirements.sql.ts';
import {
  type BuiltRow,
  type ComponentRow,
  type HeldRow,
  selectBuilt,
  selectComponentsOfLines,
  selectFreeAt,
  selectHeldOf,
} from './builds.sql.ts';
import { ComponentStock, type HeldAt } from './component-stock.ts';
import type { Build, Component } from './components.ts';
import { COMPONENTS_MAX, explodeItem, neededFor } from './explode-item.ts';
import { requireComponents } from './require-components.ts';

/** Locations from which free stock of one item is taken, if the call names none. */
const LOCATIONS_MAX = 100;

export interface BuildsOpened {
  readonly builds: ReadonlyMap<string, Build>;
  /** Positions that a build may move; to be locked before `stockOf`. */
  readonly positions: Pick<Movement, 'itemId' | 'locationId'>[];
  /** The stock of the components, from the locked positions. */
  stockOf(locked: LockedPositions): ComponentStock;
}

/** A build under its locks. */
export interface LockedBuilds extends BuildsOpened {
  readonly requirements: RequirementChanges;
}

/** `from`: the locations whose free stock is taken, in this order; null: the line's own, then those with the most. */
export interface Picking {
  from: readonly string[] | null;
  /** Items that may be taken beside the components: their substitutes. */
  beside?: readonly string[];
  /** Requires the components of lines that never had requirements, because their lifecycle does not require them. */
  requiredBy?: Actor;
  /** Whether cancelled components count of which something was issued. */
  isEnded?: boolean;
}

/** Reads the builds without locks. Components that nothing requires yet are planned. Throws `tree_too_large`. */
export async function readBuilds(tx: Tx, lines: readonly Line[], picking: Picking): Promise<BuildsOpened> {
  const components = await selectComponents(tx, lines);
  const rows = await selectRows(tx, components);
  const required = new Set(components.map(({ line_id }) => line_id));
  const planned: Component[] = [];
  for (const line of lines)
    if (!required.has(line.id) && !isFinal(line.state)) planned.push(...(await planComponentsOf(tx, line)));
  return open(tx, lines, { components, rows, planned }, picking);
}

/** Returns the components as the line would require them. */
async function planComponentsOf(tx: Tx, line: Line): Promise<Component[]> {
  const exploded = await explodeItem(tx, line.itemId, line.itemRevision);
  const slices = new Slices(tx.gone);
  const planned: Component[] = [];
  for (const component of exploded) {
    const { id, number, name, picture, perUnit, perOrder, substitutes } = component;
    if (slices.areDue) await slices.next();
    const required = neededFor({ perUnit, perOrder }, line.open);
    const requirement: Requirement = {
      id: `${line.id} ${id}`,
      number: null,
      projectId: null,
      projectNumber: null,
      projectName: null,
      lineId: line.id,
      orderId: line.orderId,
      itemId: id,
      itemNumber: number,
      itemName: name,
      itemPicture: picture,
      itemRevision: component.revision,
      unit: component.unit,
      state: requirementStates.open,
      status: 'open',
      required,
      requiredBy: line.requiredBy,
      createdAt: line.createdAt,
      reserved: 0n,
      issued: 0n,
      ordered: 0n,
      underWay: 0n,
      open: required,
      needed: required,
      isItemArchived: false,
      followsStructure: false,
    };
    planned.push({ requirement, perUnit, perOrder, substitutes, isPlanned: true });
  }
  return planned;
}

/** The lines are locked. Locks their requirements. Throws `feature_failed`, `tree_too_large`. */
export async function lockBuilds(tx: Tx, lines: readonly Line[], picking: Picking): Promise<LockedBuilds> {
  let components = await selectComponents(tx, lines);
  if (picking.requiredBy !== undefined) {
    const present = new Set(components.map(({ line_id }) => line_id));
    const missing = lines.filter(({ id }) => !present.has(id));
    for (const line of missing) await requireComponents(tx, picking.requiredBy, line);
    if (missing.length > 0) components = await selectComponents(tx, lines);
  }
  const ids = components.map(({ id }) => id);
  const [configuration, locked, rows] = await Promise.all([
    configurationForWriting(tx),
    ids.length === 0 ? [] : tx.queryPrepared<LockedEntity>(lockEntities.single, [tx.workspaceId, ids]),
    selectRows(tx, components),
  ]);
  const requirements = new RequirementChanges({ configuration, isSingle: true }, locked, rows);
  return { ...(await open(tx, lines, { components, rows, planned: [] }, picking)), requirements };
}

/** Returns the stock of builds that were read: for a preview. */
export async function readStock(tx: Tx, builds: BuildsOpened): Promise<ComponentStock> {
  return builds.stockOf(await readPositions(tx, builds.positions));
}

/** Returns the stock of builds after locking all of it. */
export async function lockStock(
  tx: Tx,
  builds: BuildsOpened,
  more: readonly Pick<Movement, 'itemId' | 'locationId'>[] = [],
): Promise<{ positions: LockedPositions; stock: ComponentStock }> {
  const positions = await openPositions(tx, [...builds.positions, ...more]);
  return { positions, stock: builds.stockOf(positions) };
}

async function selectComponents(tx: Tx, lines: readonly Line[]): Promise<ComponentRow[]> {
  const ids = lines.map(({ id }) => id);
  const rows = await tx.queryPrepared<ComponentRow>(selectComponentsOfLines, [
    tx.workspaceId,
    ids,
    COMPONENTS_MAX + 1,
  ]);
  if (rows.length <= COMPONENTS_MAX) return rows;
  throw new AppError('tree_too_large', {
    detail: `The lines have more than ${COMPONENTS_MAX} components. Issue them by their requirements, in portions.`,
    extensions: { limit: COMPONENTS_MAX },
  });
}

async function selectRows(tx: Tx, components: readonly ComponentRow[]): Promise<RequirementRow[]> {
  if (components.length === 0) return [];
  return tx.queryPrepared<RequirementRow>(selectRequirements, [
    tx.workspaceId,
    components.map(({ id }) => id),
  ]);
}

interface Found {
  components: readonly ComponentRow[];
  rows: readonly RequirementRow[];
  planned: readonly Component[];
}

function heldOfRow({ item_id, location_id, held, covers, number, name }: HeldRow): HeldAt {
  const amount = microOfDecimal(held);
  const substitute = covers === null ? null : { id: item_id, number, name: name ?? '', entered: null };
  return {
    locationId: location_id,
    amount,
    substitute,
    covers: covers === null ? amount : microOfDecimal(covers),
  };
}

async function open(
  tx: Tx,
  lines: readonly Line[],
  { components, rows, planned }: Found,
  { from, beside = [], isEnded = false }: Picking,
): Promise<BuildsOpened> {
  const { workspaceId } = tx;
  const slices = new Slices(tx.gone);
  const ofId = new Map(components.map((row) => [row.id, row]));
  const present: Requirement[] = [];
  for (const row of rows) {
    if (slices.areDue) await slices.next();
    const requirement = requirementOfRow(row);
    const { status, issued } = requirement;
    if (status !== 'cancelled' || (isEnded && issued > 0n)) present.push(requirement);
  }
  const items = [
    ...new Set([
      ...[...present, ...planned.map(({ requirement }) => requirement)].map(({ itemId }) => itemId),
      ...beside,
    ]),
  ].sort();
  const [built, held, free] = await Promise.all([
    tx.query<BuiltRow>(selectBuilt, [workspaceId, lines.map(({ id }) => id)]),
    present.length === 0
      ? []
      : tx.queryPrepared<HeldRow>(selectHeldOf, [workspaceId, present.map(({ id }) => id)]),
    items.length === 0
      ? []
      : from === null
        ? tx.query<AvailableRow>(selectAvailablePositions, [workspaceId, items, LOCATIONS_MAX])
        : tx.query<AvailableRow>(selectFreeAt, [workspaceId, items, from]),
  ]);
  const componentOf = (requirement: (typeof present)[number]): Component => {
    const row = ofId.get(requirement.id) as ComponentRow;
    return {
      requirement,
      perUnit: row.per_unit === null ? null : exactOfDecimal(row.per_unit),
      perOrder: row.per_order === null ? zero : exactOfDecimal(row.per_order),
      substitutes: row.substitutes ?? [],
      isPlanned: false,
    };
  };
  const all: Component[] = [];
  for (const requirement of present) {
    if (slices.areDue) await slices.next();
    all.push(componentOf(requirement));
  }
  const byLine = Map.groupBy([...all, ...planned], ({ requirement }) => requirement.lineId);
  if (slices.areDue) await slices.next();
  const own = lines.map(({ locationId }) => locationId);
  const places = new Map(
    [...Map.groupBy(free, ({ item_id }) => item_id)].map(([itemId, all]) => {
      const locations = all.map(({ location_id }) => location_id);
      // A stable sort: the line's own location comes first, the others keep their order.
      const isOther = (id: string) => Number(!own.includes(id));
      return [itemId, from === null ? locations.sort((a, b) => isOther(a) - isOther(b)) : locations];
    }),
  );
  if (slices.areDue) await slices.next();
  const heldAt = new Map(
    [...Map.groupBy(held, ({ requirement_id }) => requirement_id)].map(([id, all]) => [
      id,
      all.map(heldOfRow),
    ]),
  );
  if (slices.areDue) await slices.next();
  const figures = new Map(built.map((row) => [row.id, row]));
  return {
    builds: new Map(
      lines.map((line) => {
        const row = figures.get(line.id) as BuiltRow;
        const [scrapped, disassembled] = [microOfDecimal(row.scrapped), microOfDecimal(row.disassembled)];
        return [line.id, { line, scrapped, disassembled, components: byLine.get(line.id) ?? [] }];
      }),
    ),
    positions: [
      ...held.map((row) => ({ itemId: row.item_id, locationId: row.location_id })),
      ...free.map((row) => ({ itemId: row.item_id, locationId: row.location_id })),
    ],
    stockOf: ({ positions }) => new ComponentStock(heldAt, places, positions),
  };
}
