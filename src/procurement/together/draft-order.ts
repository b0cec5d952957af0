/** What comes of one call that makes lines, decided in memory on what its group has read and locked. */
import type {
  CategoryConfiguration,
  WorkspaceConfiguration,
} from '../../configuration/current/workspace-configuration.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import type { CallAnswer, CombinedCall } from '../../group-commit/combined-calls.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import type { StockEntity } from '../../stock/movements/find-stock-entities.ts';
import type { Recording } from '../../stock/movements/record-requests.ts';
import type { WantedLine } from '../lines/create-line.ts';
import { isOpenOrder } from '../records/find-order.ts';
import { findProcurementCategory } from '../records/find-procurement-category.ts';
import { isSupply, type Line, type LineType, lineBehaviours, nameOfLine } from '../records/line.ts';
import { requireRoom } from '../records/refusals.ts';
import type { Requirement } from '../records/requirement.ts';
import { allowed } from './move-lines.ts';
import { type Feature, wayOf } from './plain-moves.ts';
import type { RequirementChange, RequirementStates } from './requirement-states.ts';
import type { LockedOrder } from './together.sql.ts';

/** Of one order, which is new where none is named. */
export interface MakingCall extends CombinedCall {
  by: Mover;
  type: LineType;
  order: EntityRef | null;
  /** From whom a new one is, where that is said. */
  supplier?: string | null | undefined;
  /** An item that is not named is the requirement's. */
  lines: readonly (Omit<WantedLine, 'type' | 'order' | 'item' | 'supplier'> & { item: EntityRef | null })[];
  show(made: MadeLines): CallAnswer;
  apart(tx: Tx): Promise<CallAnswer>;
}

export interface MadeLines {
  order: {
    id: string;
    number: string | null;
    name: string;
    state: string;
    createdAt: string;
    supplier: string | null;
  };
  lines: { line: Line; entries: LedgerEntry[]; requirement: Requirement | null }[];
}

export interface Making {
  configuration: WorkspaceConfiguration;
  found: ReadonlyMap<EntityRef, StockEntity>;
  orders: ReadonlyMap<string, LockedOrder>;
  requirements: RequirementStates;
  recording: Recording;
  createdAt: string;
}

export interface NewEntity {
  id: string;
  versionId: string;
  number: string;
  name: string;
  category: CategoryConfiguration;
  state: string;
}

export interface DraftLine {
  entity: NewEntity;
  wanted: MakingCall['lines'][number];
  item: Pick<StockEntity, 'id' | 'number' | 'name'>;
  location: StockEntity;
  entries: LedgerEntry[];
  change: RequirementChange | null;
  requiredBy: string | null;
}

export interface Draft {
  call: MakingCall;
  order: LockedOrder | NewEntity;
  lines: DraftLine[];
}

/** What comes of a call; null where it is to be done apart. */
export async function draftOrder(group: Making, call: MakingCall): Promise<Draft | null> {
  const { by, type } = call;
  const categories = allowed(() => ({
    order: findProcurementCategory(group.configuration, type),
    line: findProcurementCategory(group.configuration, lineBehaviours[type]),
  }));
  if (categories === null) return null;
  const order =
    call.order === null
      ? newEntity(categories.order, categories.order.name, categories.order.lifecycle.initialState)
      : openOrder(group, call.order, type);
  if (order === null) return null;
  const lines: DraftLine[] = [];
  const movements: Movement[] = [];
  for (const wanted of call.lines) {
    const line = draftLine(group, call, categories.line, wanted);
    // Two lines for one requirement need it as the first leaves it.
    const isTwin = lines.some(({ change }) => change !== null && change.row.id === line?.change?.row.id);
    if (line === null || isTwin) return null;
    lines.push(line);
    if (line.entity.state !== categories.line.lifecycle.initialState)
      movements.push(movementOf(type, order.id, line));
  }
  if (movements.length > 0) {
    const { entries } = await group.recording.decide({ actor: by.actor, movements });
    if (entries === null) return null;
    for (const entry of entries) lines.find(({ entity }) => entity.id === entry.lineId)?.entries.push(entry);
  }
  for (const { change } of lines) if (change !== null) group.requirements.keep(change);
  return { call, order, lines };
}

/** Null where it is not there, held by somebody else, or no open one of the type. */
function openOrder({ orders, configuration }: Making, id: string, type: LineType): LockedOrder | null {
  const order = orders.get(id);
  if (order === undefined || configuration.categories.get(order.category)?.behaviour !== type) return null;
  return isOpenOrder(order) ? order : null;
}

function draftLine(
  group: Making,
  { by, type }: MakingCall,
  category: CategoryConfiguration,
  wanted: MakingCall['lines'][number],
): DraftLine | null {
  const working = isSupply(type) ? 'Ordered' : 'Reserved';
  const state = wanted.state ?? working;
  const { initialState } = category.lifecycle;
  const location = group.found.get(wanted.location);
  const requirement = wanted.requirement == null ? null : group.requirements.find(wanted.requirement);
  if (wanted.requirement != null && (requirement === null || !isSupply(type))) return null;
  const item = itemOf(group, wanted.item, requirement);
  if (item === null || location?.isLocation !== true) return null;
  if (state !== 'Draft' && state !== working) return null;
  const begins = state === working;
  if (begins && wayOf(category, [initialState, working], by, isPlainFor(type)) !== 'plain') return null;
  // A draft is in the state that its category's entities begin in, whatever that is called.
  const reached = begins ? working : initialState;
  let change: RequirementChange | null = null;
  if (requirement !== null && begins) {
    const fits = allowed(() => {
      requireRoom(requirement, wanted.amount, requirement.open, 'Ordering');
      return true;
    });
    change = fits === null ? null : group.requirements.plan(requirement.id, by, { ordered: wanted.amount });
    if (change === null) return null;
  }
  const name = nameOfLine(wanted.amount, item.name);
  // Who orders for a requirement wants it when the requirement does.
  const requiredBy = wanted.requiredBy ?? (wanted.item === null ? requirement?.requiredBy : null) ?? null;
  const entity = newEntity(category, name, reached);
  return { entity, wanted, item, location, entries: [], change, requiredBy };
}

function itemOf(
  { found }: Making,
  named: EntityRef | null,
  requirement: Requirement | null,
): DraftLine['item'] | null {
  if (named === null) {
    if (requirement === null) return null;
    return { id: requirement.itemId, number: requirement.itemNumber, name: requirement.itemName };
  }
  const item = found.get(named);
  const fits = requirement === null || requirement.itemId === item?.id;
  return item?.isItem === true && fits ? item : null;
}

/** What the line's own entry does, or nothing: components are of what is manufactured. */
function isPlainFor(type: LineType): (feature: Feature) => boolean {
  return ({ feature, settings }) => {
    const isUsual = settings.orderedState === undefined || settings.orderedState === 'Ordered';
    if (type === 'salesOrder') return feature === 'reserveSalesLine';
    if (type === 'manufacturingOrder') return false;
    return isUsual && (feature === 'updateOnOrderStock' || feature === 'requireComponents');
  };
}

function movementOf(
  type: LineType,
  orderId: string,
  { entity, wanted, item, location }: DraftLine,
): Movement {
  return {
    type: isSupply(type) ? 'OnOrderAdd' : 'SOReservation',
    itemId: item.id,
    locationId: location.id,
    amount: wanted.amount,
    note: wanted.note ?? null,
    lineId: entity.id,
    orderId,
    requirementId: wanted.requirement ?? null,
  };
}

function newEntity(category: CategoryConfiguration, name: string, state: string): NewEntity {
  const id = newId();
  return { id, versionId: id, number: '', name, category, state };
}
