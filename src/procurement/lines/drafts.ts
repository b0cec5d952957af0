/** Requests for new lines, what their group has read for them, and what they become. */
import type {
  CategoryConfiguration,
  WorkspaceConfiguration,
} from '../../configuration/current/workspace-configuration.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import type { Money } from '../../money/money.ts';
import type { Micro } from '../../quantity.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import type { LineType } from '../../stock/entries/line-rules.ts';
import type { Entered, Movement } from '../../stock/entries/movement.ts';
import type { StockEntity } from '../../stock/movements/find-stock-entities.ts';
import type { Recording } from '../../stock/movements/record-requests.ts';
import type { EntityMoves } from '../records/entity-moves.ts';
import { type Line, lineAfter } from '../records/line.ts';
import type { References } from '../records/orders.schema.ts';
import type { LockedOrder } from '../records/procured-entities.sql.ts';
import type { Requirement } from '../records/requirement.ts';
import type { RequirementChanges } from '../records/requirement-changes.ts';
import type { UsablePart } from '../records/suppliers/find-offers.ts';
import type { Terms } from '../records/suppliers/purchase-terms.ts';

export interface WantedLine {
  /** The item; null: that of the requirement. */
  item: EntityRef | null;
  location: EntityRef;
  amount: Micro;
  /** The amount as it was entered in another unit. */
  entered?: Entered | null | undefined;
  requirement?: EntityRef | null | undefined;
  requiredBy?: string | null | undefined;
  /** How much more may be received, in percent; null: as much as the workspace says. */
  overDeliveryPercent?: number | null | undefined;
  /** Whether a sales line may wait for stock. */
  allowBackorder?: boolean | undefined;
  /** The supplier part; null: none, absent: the first of the order's supplier for the item. */
  supplierPartId?: string | null | undefined;
  price?: Money | null | undefined;
  currency?: string | null | undefined;
  state?: 'Draft' | 'Ordered' | 'Reserved' | undefined;
  note?: string | null | undefined;
}

/** Lines of one order, which is new where none is named. */
export interface LinesRequest {
  by: Mover;
  /** The type; null: that of the order. */
  type: LineType | null;
  order: EntityRef | null;
  /** The supplier of a new order, tidied. */
  supplier?: string | null | undefined;
  /** References of a new order. */
  references?: References;
  lines: readonly WantedLine[];
  /** Whether the body has a list of lines, at which refusals point. */
  isList: boolean;
}

export interface CreatedLines {
  order: {
    id: string;
    type: LineType;
    number: string | null;
    name: string;
    state: string;
    createdAt: string;
    supplier: string | null;
    references: References;
  };
  lines: { line: Line; entries: LedgerEntry[]; requirement: Requirement | null }[];
}

export interface Drafting {
  configuration: WorkspaceConfiguration;
  isSingle: boolean;
  ids: ReadonlyMap<EntityRef, string>;
  found: ReadonlyMap<EntityRef, StockEntity>;
  /** The supplier parts of lines, where they have one. */
  parts: ReadonlyMap<WantedLine, UsablePart>;
  orders: ReadonlyMap<string, LockedOrder>;
  requirements: RequirementChanges;
  recording: Recording;
  moves: EntityMoves;
}

export interface NewEntity {
  id: string;
  versionId: string;
  /** Given when all requests of the group have been decided. */
  number: string;
  name: string;
  category: CategoryConfiguration;
  state: string;
  actorId: string;
}

export interface DraftLine {
  entity: NewEntity;
  wanted: WantedLine;
  item: Pick<StockEntity, 'id' | 'number' | 'name' | 'picture' | 'revision' | 'unit'>;
  location: StockEntity;
  requirementId: string | null;
  requirement: Requirement | null;
  /** Open quantity of the requirement before the line. */
  open: Micro;
  requiredBy: string | null;
  terms: Terms | null;
  working: string;
  /** A line begins as it is inserted, or by a transition to which its lifecycle attaches more, or stays a draft. */
  begins: 'inserted' | 'by transition' | null;
  /** The movements with which it begins. */
  movements: readonly Movement[];
  entries: LedgerEntry[];
}

export interface Draft {
  request: LinesRequest;
  type: LineType;
  order: LockedOrder | NewEntity;
  lines: DraftLine[];
}

export function showDraft(group: Drafting, draft: Draft): CreatedLines {
  const { request, type, order } = draft;
  const createdAt = group.recording.recordedAt.toISOString();
  const supplier = 'supplier' in order ? order.supplier : (request.supplier ?? null);
  return {
    order: {
      id: order.id,
      type,
      number: order.number,
      name: order.name,
      state: order.state,
      createdAt,
      supplier,
      references: request.references ?? { customer: null, ours: null, theirs: null },
    },
    lines: draft.lines.map((line) => {
      const { entries, requirement, movements } = line;
      const empty = emptyLine(draft, line, createdAt);
      return { line: lineAfter(empty, movements, 'begin', empty.state), entries, requirement };
    }),
  };
}

/** A new line, before its first movement. */
export function emptyLine({ request, type, order }: Draft, line: DraftLine, createdAt: string): Line {
  const { entity, item, location, wanted, requirementId, requiredBy } = line;
  return {
    id: entity.id,
    number: entity.number,
    type,
    orderId: order.id,
    orderNumber: order.number,
    supplier: 'supplier' in order ? order.supplier : (request.supplier ?? null),
    itemId: item.id,
    itemNumber: item.number,
    itemName: item.name,
    itemPicture: item.picture,
    shownRevision: item.revision,
    unit: item.unit,
    locationId: location.id,
    locationNumber: location.number,
    locationName: location.name,
    requirementId,
    state: entity.state,
    quantity: wanted.amount,
    entered: wanted.entered ?? null,
    terms: line.terms,
    overDeliveryPercent: wanted.overDeliveryPercent ?? null,
    allowBackorder: type === 'salesOrder' && wanted.allowBackorder === true,
    requiredBy,
    promises: [],
    itemRevision: null,
    createdAt,
    received: 0n,
    shipped: 0n,
    returned: 0n,
    orderedFor: 0n,
    receivedFor: 0n,
    returnedFor: 0n,
    reserved: 0n,
    onOrder: 0n,
    open: wanted.amount,
  };
}
