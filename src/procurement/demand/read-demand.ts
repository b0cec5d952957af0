/** Lists the open supply and demand of an item in order of time, and how long the available stock lasts. */
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, resolveEntityId } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import { type Micro, numberOf } from '../../quantity.ts';
import { isSupply, type Line } from '../records/line.ts';
import { partsToCome } from '../records/promises.ts';
import type { Requirement } from '../records/requirement.ts';
import { selectRole } from '../records/requirements.sql.ts';
import {
  COUNTED_MAX,
  type DemandKind,
  type EntitySummary,
  type ItemDemand,
  STOCKED_LOOKED_MAX,
} from './demand.schema.ts';
import { countAround } from './demand.sql.ts';
import {
  type Balances,
  balancesOf,
  type Looked,
  POSITIONS_MAX,
  readLines,
  readRequirements,
  readStock,
  type StockSums,
} from './read-needs.ts';

interface Around {
  items: number;
  stocked: number;
  ordered: number;
  uses: number;
  used_in: number;
}

interface Entry {
  kind: DemandKind;
  id: string;
  number: string | null;
  forId: string | null;
  forNumber: string | null;
  requiredBy: string | null;
  quantity: Micro;
}

/** An item or a project, by its role. */
export interface Subject {
  id: string;
  role: string;
}

const isItem = ({ role }: Subject) => role === 'item' || role === 'itemAndLocation';
const isLocation = ({ role }: Subject) => role === 'location' || role === 'itemAndLocation';

/** Returns an entity with the role of its category. Throws `entity_not_found`. */
export async function findSubject(tx: Tx, ref: EntityRef): Promise<Subject> {
  const id = await resolveEntityId(tx, ref);
  const [found] = await tx.query<Subject>(selectRole, [tx.workspaceId, id]);
  return found ?? { id, role: 'none' };
}

/** Throws `not_an_item`. */
export function requireItem(subject: Subject): void {
  if (isItem(subject)) return;
  throw new AppError('not_an_item', `Entity ${subject.id} is no item: nothing is kept in stock of it.`);
}

/** Throws `not_an_item`. */
export async function readDemand(tx: Tx, subject: Subject): Promise<ItemDemand> {
  requireItem(subject);
  const { stock, available, inTransit } = await readOne(tx, subject.id);
  const lines = await linesOfItem(tx, subject.id);
  const requirements = await requirementsOf(tx, 'item_id', subject.id);
  const balances = balancesOf(lines.rows, requirements.rows);
  const entries = [
    ...lines.rows.flatMap((line) => ofLine(line, balances)),
    ...requirements.rows.map((one) => ofRequirement(one, balances)),
  ]
    .filter(({ quantity }) => quantity !== 0n)
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  // Goods in transit have no date: they count as there.
  let left = available + inTransit;
  let worst = 0n;
  let shortFrom: string | null = null;
  const shown = entries.map(({ quantity, ...entry }) => {
    left += quantity;
    if (left < worst) worst = left;
    if (left < 0n) shortFrom ??= entry.requiredBy;
    return { ...entry, quantity: numberOf(quantity), availableAfter: numberOf(left) };
  });
  return {
    itemEntityId: subject.id,
    ...stock,
    entries: shown,
    shortFrom,
    shortBy: numberOf(-worst),
    isPartial: lines.partial || requirements.partial,
  };
}

export async function summariseEntity(tx: Tx, subject: Subject): Promise<EntitySummary> {
  const { id } = subject;
  const [around] = await tx.query<Around>(countAround, [
    tx.workspaceId,
    id,
    COUNTED_MAX,
    isLocation(subject),
    STOCKED_LOOKED_MAX,
  ]);
  const demanded = isItem(subject) ? 'item_id' : subject.role === 'project' ? 'project_id' : null;
  return {
    entityId: id,
    stock: isItem(subject) ? await summariseStock(tx, id) : null,
    demand: demanded === null ? null : summariseDemand(await requirementsOf(tx, demanded, id)),
    orders: isItem(subject) ? summariseOrders(await linesOfItem(tx, id)) : null,
    items: isLocation(subject) ? (around?.items ?? 0) : null,
    stockedItems: isLocation(subject) ? (around?.stocked ?? 0) : null,
    orderedItems: isLocation(subject) ? (around?.ordered ?? 0) : null,
    uses: around?.uses ?? 0,
    usedIn: around?.used_in ?? 0,
  };
}

async function summariseStock(tx: Tx, id: string): Promise<EntitySummary['stock']> {
  const { stock, locations, stocked } = await readOne(tx, id);
  return {
    ...stock,
    locations: Math.min(locations, POSITIONS_MAX),
    stockedLocations: Math.min(stocked, POSITIONS_MAX),
    isPartial: locations > POSITIONS_MAX,
  };
}

function summariseDemand({ rows, partial }: Looked<Requirement>): EntitySummary['demand'] {
  const open = rows.filter((one) => one.open > 0n);
  return {
    openRequirements: open.length,
    openQty: numberOf(sumOf(open, (one) => one.open)),
    requiredBy: earliest(open),
    isPartial: partial,
  };
}

function summariseOrders({ rows, partial }: Looked<Line>): EntitySummary['orders'] {
  const open = rows.filter((line) => line.open > 0n);
  const coming = open.filter(({ type }) => isSupply(type));
  const going = open.filter(({ type }) => !isSupply(type));
  return {
    comingLines: coming.length,
    comingQty: numberOf(sumOf(coming, (line) => line.open)),
    comingBy: earliest(coming),
    goingLines: going.length,
    goingQty: numberOf(sumOf(going, (line) => line.open)),
    isPartial: partial,
  };
}

async function readOne(tx: Tx, id: string) {
  const sums = (await readStock(tx, [id])).get(id) as StockSums;
  const { onHand, reserved, onOrder, available, inTransit } = sums;
  const stock = {
    onHand: numberOf(onHand),
    reserved: numberOf(reserved),
    onOrder: numberOf(onOrder),
    available: numberOf(available),
    inTransit: numberOf(inTransit),
  };
  return { stock, ...sums };
}

async function linesOfItem(tx: Tx, id: string): Promise<Looked<Line>> {
  return (await readLines(tx, [id])).get(id) as Looked<Line>;
}

async function requirementsOf(
  tx: Tx,
  of: 'item_id' | 'project_id',
  id: string,
): Promise<Looked<Requirement>> {
  return (await readRequirements(tx, of, [id])).get(id) as Looked<Requirement>;
}

/** An entry for each part that is promised and has not come, and one for the rest on the required date. */
function ofLine(line: Line, balances: Balances): Entry[] {
  const { id, number, orderId, orderNumber, requiredBy, type, promises } = line;
  const open = balances.ofLine(line);
  const on = (day: string | null, quantity: Micro): Entry => {
    return { kind: type, id, number, forId: orderId, forNumber: orderNumber, requiredBy: day, quantity };
  };
  const { parts, rest } = partsToCome(promises, line.received - line.returned, open);
  return [...parts.map((part) => on(part.on, part.quantity)), on(requiredBy, rest)];
}

function ofRequirement(one: Requirement, balances: Balances): Entry {
  const { id, number, projectId, projectNumber, orderId, requiredBy } = one;
  return {
    kind: 'requirement',
    id,
    number,
    forId: projectId ?? orderId,
    forNumber: projectNumber,
    requiredBy,
    quantity: balances.ofRequirement(one),
  };
}

function placeOf({ requiredBy, quantity, id }: Entry): string {
  return `${requiredBy ?? '~'} ${quantity > 0n ? 0 : 1} ${id}`;
}

function sumOf<One>(all: readonly One[], figure: (one: One) => Micro): Micro {
  return all.reduce((sum, one) => sum + figure(one), 0n);
}

function earliest(all: readonly { requiredBy: string | null }[]): string | null {
  return all.reduce<string | null>(
    (first, { requiredBy }) =>
      requiredBy !== null && (first === null || requiredBy < first) ? requiredBy : first,
    null,
  );
}
