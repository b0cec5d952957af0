/** Reads the items of a plan, and how each of them is planned. */
import type { BinaryRows } from '../../db/wire/binary-rows.ts';
import { MICRO_DOUBLE_MAX } from '../../quantity.ts';
import { Column } from '../netting/column.ts';
import { NO_LEAD_TIME, type PlanItems, type PlanLinks, ways } from '../netting/planning-input.ts';
import type { KeptRevision } from './merge-kept-links.ts';
import { IdIndex, PackedIds } from './packed-ids.ts';
import type { Offers } from './read-offers.ts';
import { TooLargeError } from './too-large.ts';

export interface ReadItems {
  /** In their order. */
  readonly ids: PackedIds;
  readonly index: IdIndex;
  readonly isArchived: Uint8Array;
  /** The place of the category among those of items, from 1. */
  readonly category: Int32Array;
  /** Whether there are components, where their links are not read; null: they are. */
  readonly hasComponents: Uint8Array | null;
  /** Items whose structure is that of an earlier revision. */
  readonly kept: readonly KeptRevision[];
}

/** Rows have id, category, whether it is archived, the kept revision or null, and whether it has components if `saysComponents`. */
export async function readItems(
  portions: AsyncIterable<BinaryRows>,
  itemsMax: number,
  saysComponents: boolean,
): Promise<ReadItems> {
  const ids = new PackedIds();
  const isArchived = new Column(new Uint8Array());
  const category = new Column(new Int32Array());
  const hasComponents = new Column(new Uint8Array());
  const kept: KeptRevision[] = [];
  for await (const rows of portions) {
    while (rows.next()) {
      ids.push(rows.view, rows.from(0));
      category.push(rows.int(1));
      isArchived.push(Number(rows.isTrue(2)));
      if (!rows.isNull(3)) kept.push({ id: rows.id(0), revision: rows.int(3) });
      if (saysComponents) hasComponents.push(Number(rows.isTrue(4)));
    }
    if (ids.length > itemsMax) throw new TooLargeError(`The workspace has more than ${itemsMax} items.`);
  }
  return {
    ids,
    index: new IdIndex(ids),
    isArchived: isArchived.values(),
    category: category.values(),
    hasComponents: saysComponents ? hasComponents.values() : null,
    kept,
  };
}

/** The planning of each item; an item without has zeros. */
export interface ItemPlanning {
  readonly version: Int32Array;
  readonly policy: Uint8Array;
  readonly isMake: Uint8Array;
  readonly point: Float64Array;
  readonly safety: Float64Array;
  readonly maximum: Float64Array;
  readonly minimum: Float64Array;
  readonly multiple: Float64Array;
  readonly leadDays: Int32Array;
  /** Supplier parts that are preferred. */
  readonly preferred: PackedIds;
  readonly locations: ReadonlyMap<number, string>;
}

/** An item without planning is planned by its demand, and made if it has components. */
const policies = { absent: 0, none: 1, planned: 2 } as const;

/** Rows as `planningColumns` has them. */
export async function readItemPlanning(
  portions: AsyncIterable<BinaryRows>,
  { ids, index }: Pick<ReadItems, 'ids' | 'index'>,
): Promise<ItemPlanning> {
  const count = ids.length;
  const doubles = () => new Float64Array(count);
  const locations = new Map<number, string>();
  const planning = {
    version: new Int32Array(count),
    policy: new Uint8Array(count),
    isMake: new Uint8Array(count),
    point: doubles(),
    safety: doubles(),
    maximum: doubles(),
    minimum: doubles(),
    multiple: doubles(),
    leadDays: new Int32Array(count).fill(NO_LEAD_TIME),
    preferred: new PackedIds(count),
    locations,
  };
  for await (const rows of portions)
    while (rows.next()) {
      const item = index.at(rows.view, rows.from(0));
      if (item < 0) continue;
      const micros = (column: number) => (rows.isNull(column) ? 0 : rows.micro(column));
      planning.version[item] = rows.int(1);
      planning.policy[item] = rows.isTrue(2) ? policies.none : policies.planned;
      planning.isMake[item] = Number(rows.isTrue(3));
      planning.point[item] = micros(4);
      planning.safety[item] = micros(5);
      planning.maximum[item] = micros(6);
      planning.minimum[item] = micros(7);
      planning.multiple[item] = micros(8);
      if (!rows.isNull(9)) planning.leadDays[item] = rows.int(9);
      if (!rows.isNull(10)) planning.preferred.set(item, rows.view, rows.from(10));
      if (!rows.isNull(11)) locations.set(item, rows.id(11));
    }
  return planning;
}

export function itemColumns(
  { ids, isArchived, category, hasComponents: known }: ReadItems,
  planning: ItemPlanning,
  { available, links, offers }: { available: Float64Array; links: PlanLinks; offers: Offers },
): PlanItems {
  const count = ids.length;
  const hasComponents = known ?? new Uint8Array(count);
  const way = new Uint8Array(count);
  const floor = new Float64Array(count);
  const fill = new Float64Array(count);
  const leadDays = planning.leadDays.slice();
  const hasSupplier = new Uint8Array(count);
  const { packMinimum, packMultiple } = offers;
  for (let item = 0; item < count; item++) {
    if (known === null) hasComponents[item] = Number(links.from[item] !== links.from[item + 1]);
    const policy = planning.policy[item];
    // A project has no category of items, and is made of what it needs, in no time.
    if (category[item] === 0) leadDays[item] = 0;
    const isMade =
      category[item] === 0 || (policy === policies.absent ? hasComponents : planning.isMake)[item] === 1;
    way[item] = policy === policies.none ? ways.notPlanned : isMade ? ways.make : ways.buy;
    floor[item] = Math.min(
      MICRO_DOUBLE_MAX,
      (planning.point[item] as number) + (planning.safety[item] as number),
    );
    fill[item] = Math.max(0, (planning.maximum[item] as number) - (planning.point[item] as number));
    hasSupplier[item] = Number(offers.has(item));
    if (isMade) {
      packMinimum[item] = 0;
      packMultiple[item] = 0;
    } else if (leadDays[item] === NO_LEAD_TIME) leadDays[item] = offers.leadDays[item] as number;
  }
  const { minimum, multiple } = planning;
  return {
    ids,
    isArchived,
    way,
    available,
    floor,
    fill,
    minimum,
    multiple,
    packMinimum,
    packMultiple,
    leadDays,
    hasSupplier,
    hasComponents,
  };
}
