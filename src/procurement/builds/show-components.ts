/** Components of a manufacturing line, what is taken of them and what is short, in the form of the API. */
import type { ConsumeMode } from '../../configuration/categories/behaviour.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { revisionLabel } from '../../entities/revision-label.ts';
import { readBaseUnits } from '../../entities/units/item-units.ts';
import { Slices } from '../../fairness/slices.ts';
import { type Micro, microOfDecimal, numberOf, numberOfExact } from '../../quantity.ts';
import { findStockEntities } from '../../stock/movements/find-stock-entities.ts';
import { atLeastZero } from '../records/amounts.ts';
import { findLine } from '../records/find-procured.ts';
import type { Line } from '../records/line.ts';
import { refuseType } from '../records/refusals.ts';
import type { ComponentsPreview, LineComponent, LineComponents } from './builds.schema.ts';
import { type SubstituteRow, selectConsume, selectSubstitutes } from './builds.sql.ts';
import type { ComponentStock, Shortage, Take, Taken } from './component-stock.ts';
import { type Build, type Component, heldFor, unitsBuilt, unitsFrom, unitsInAll } from './components.ts';
import { readBuilds, readStock } from './open-builds.ts';

/** Locations of a component that an answer names. */
const LOCATIONS_SHOWN = 20;

interface Named {
  id: string;
  number: string | null;
  name: string;
}
type Names = ReadonlyMap<string, Named>;

/** Throws `line_not_found`, `line_not_open` for a line of another type, `tree_too_large`. */
export async function readComponents(tx: Tx, ref: EntityRef): Promise<LineComponents> {
  const line = await findLine(tx, ref);
  if (line.type !== 'manufacturingOrder') throw refuseType(line, 'built from components');
  const opened = await readBuilds(tx, [line], { from: null });
  const stock = await readStock(tx, opened);
  const build = opened.builds.get(line.id) as Build;
  const names = await namesOf(tx, await locationsOf(tx, build, stock));
  const guids = build.components.flatMap(({ substitutes }) => substitutes.map(({ guid }) => guid));
  const found =
    guids.length === 0
      ? []
      : await tx.query<SubstituteRow>(selectSubstitutes, [tx.workspaceId, [...new Set(guids)]]);
  const items = new Map(found.map((row) => [row.guid, row]));
  const itemIds = build.components.map(({ requirement }) => requirement.itemId);
  const units = await readBaseUnits(tx, [line.itemId, ...itemIds]);
  const [row] = await tx.query<{ consume: ConsumeMode | null }>(selectConsume, [tx.workspaceId, line.id]);
  const slices = new Slices(tx.gone);
  const components: LineComponent[] = [];
  for (const component of build.components) {
    if (slices.areDue) await slices.next();
    components.push(showComponent(build, component, { stock, names, items, units }));
  }
  return {
    ...showBuild(build),
    unit: units.get(line.itemId) ?? null,
    ...buildable(build.line, components),
    consume: row?.consume ?? null,
    components,
  };
}

/** Returns where the components of a build are held and available. */
async function locationsOf(tx: Tx, build: Build, stock: ComponentStock): Promise<string[]> {
  const slices = new Slices(tx.gone);
  const found = new Set<string>();
  for (const component of build.components) {
    if (slices.areDue) await slices.next();
    for (const { locationId } of stock.heldOf(component)) found.add(locationId);
    for (const { locationId } of stock.freeOf(component.requirement.itemId)) found.add(locationId);
  }
  return [...found];
}

function showBuild({ line, scrapped, disassembled }: Build) {
  return {
    lineId: line.id,
    lineNumber: line.number,
    itemEntityId: line.itemId,
    itemNumber: line.itemNumber,
    itemName: line.itemName,
    itemPicture: line.itemPicture,
    itemRevision: line.itemRevision,
    itemRevisionLabel: line.itemRevision === null ? null : revisionLabel(line.itemRevision),
    state: line.state,
    quantity: numberOf(line.quantity),
    receivedQty: numberOf(line.received),
    scrappedQty: numberOf(scrapped),
    disassembledQty: numberOf(disassembled),
    openQty: numberOf(line.open),
  };
}

/** Whole units, unless what is open can be built altogether. */
function buildable(
  line: Line,
  components: readonly LineComponent[],
): Pick<LineComponents, 'buildableQty' | 'limitedBy'> {
  const open = numberOf(line.open);
  const [least] = components.toSorted((a, b) => a.buildableQty - b.buildableQty);
  if (least === undefined || least.buildableQty >= open) return { buildableQty: open, limitedBy: null };
  const { itemEntityId, itemNumber, itemName } = least;
  return { buildableQty: Math.floor(least.buildableQty), limitedBy: { itemEntityId, itemNumber, itemName } };
}

interface Surroundings {
  stock: ComponentStock;
  names: Names;
  items: ReadonlyMap<string, SubstituteRow>;
  /** Base units by item. */
  units: ReadonlyMap<string, string>;
}

function showComponent(
  build: Build,
  component: Component,
  { stock, names, items, units }: Surroundings,
): LineComponent {
  const { requirement, perUnit, isPlanned, substitutes } = component;
  const { required, issued } = requirement;
  const held = heldFor(component);
  const free = stock.freeOf(requirement.itemId);
  const available = free.reduce((sum, { amount }) => sum + amount, 0n);
  const missing = required - issued - held;
  const enough = unitsFrom(issued + held + available, required, unitsInAll(build)) - unitsBuilt(build);
  const at = (places: readonly { locationId: string; amount: Micro }[]) =>
    places.slice(0, LOCATIONS_SHOWN).map(({ locationId, amount }) => ({
      ...showLocation(locationId, names),
      quantity: numberOf(amount),
    }));
  return {
    ...showItem(component),
    itemPicture: requirement.itemPicture,
    itemRevision: revisionLabel(requirement.itemRevision),
    unit: units.get(requirement.itemId) ?? null,
    requirementId: isPlanned ? null : requirement.id,
    requiredQty: numberOf(required),
    perUnitQty: perUnit === null ? null : numberOfExact(perUnit),
    issuedQty: numberOf(issued),
    heldQty: numberOf(held),
    orderedQty: numberOf(requirement.ordered),
    missingQty: numberOf(atLeastZero(missing)),
    availableQty: numberOf(available),
    buildableQty: numberOf(atLeastZero(enough)),
    reservedAt: stock
      .heldOf(component)
      .slice(0, LOCATIONS_SHOWN)
      .map(({ locationId, amount, substitute, covers }) => ({
        ...showLocation(locationId, names),
        quantity: numberOf(amount),
        substitute:
          substitute === null ? null : { ...showTaken(component, substitute), covers: numberOf(covers) },
      })),
    availableAt: at(free),
    substitutes: substitutes
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ guid, rank, ratio }) => {
        const item = items.get(guid);
        return {
          itemEntityId: item?.id ?? null,
          guid,
          itemNumber: item?.number ?? null,
          itemName: item?.name ?? null,
          rank,
          ratio,
          availableQty: item === undefined ? 0 : numberOf(microOfDecimal(item.available)),
        };
      }),
  };
}

/** Names the locations of what was taken. */
export async function showTakes(tx: Tx, takes: readonly Take[]): Promise<ComponentsPreview['taken']> {
  const names = await namesOf(
    tx,
    takes.map(({ locationId }) => locationId),
  );
  return takes.map(({ component, substitute, locationId, amount, covered, isHeld }) => ({
    ...showTaken(component, substitute),
    requirementId: component.isPlanned ? null : component.requirement.id,
    ...showLocation(locationId, names),
    quantity: numberOf(amount),
    insteadOf: substitute === null ? null : { ...showItem(component), quantity: numberOf(covered) },
    wasReserved: isHeld,
  }));
}

export async function showPreview(tx: Tx, { takes, shortages }: Taken): Promise<ComponentsPreview> {
  return { taken: await showTakes(tx, takes), shortages: shortages.map(showShortage) };
}

export function showShortage({
  component,
  substitute,
  needed,
  found,
}: Shortage): ComponentsPreview['shortages'][number] {
  return {
    ...showTaken(component, substitute),
    requirementId: component.isPlanned ? null : component.requirement.id,
    neededQty: numberOf(needed),
    foundQty: numberOf(found),
    shortQty: numberOf(needed - found),
  };
}

/** Names the item that is taken: the substitute, where one is. */
function showTaken(component: Component, substitute: Take['substitute']) {
  if (substitute === null) return showItem(component);
  return { itemEntityId: substitute.id, itemNumber: substitute.number, itemName: substitute.name };
}

function showItem({ requirement: { itemId, itemNumber, itemName } }: Component) {
  return { itemEntityId: itemId, itemNumber, itemName };
}

function showLocation(id: string, names: Names) {
  const location = names.get(id);
  return {
    locationEntityId: id,
    locationNumber: location?.number ?? null,
    locationName: location?.name ?? '',
  };
}

async function namesOf(tx: Tx, ids: readonly string[]): Promise<Names> {
  return ids.length === 0 ? new Map() : findStockEntities(tx, new Set(ids));
}
