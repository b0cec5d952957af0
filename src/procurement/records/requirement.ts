/** A material requirement and its coverage. */
import { decimalOf, type Micro, microOfDecimal } from '../../quantity.ts';
import { atLeastZero } from './amounts.ts';
import type { RequirementQuantities, RequirementRow } from './requirements.sql.ts';

/** The lifecycle states that follow the quantities; a person only cancels. */
export const requirementStates = { open: 'Open', covered: 'Covered', cancelled: 'Cancelled' } as const;
export type RequirementStatus = keyof typeof requirementStates;

/** Required quantity and its coverage. */
export interface Coverage {
  readonly status: RequirementStatus;
  readonly required: Micro;
  /** Reserved and not released, issued or not. */
  readonly reserved: Micro;
  readonly issued: Micro;
  readonly ordered: Micro;
  /** The part of it that has not been received. */
  readonly underWay: Micro;
  /** Required − Reserved − Ordered (interface, Material requirement line). */
  readonly open: Micro;
  /**
   * The open need: what neither a reservation nor goods under way cover. It is the open quantity, and what was received for the
   * requirement and not reserved, which a workspace that reserves goods as they arrive does not have.
   */
  readonly needed: Micro;
}

export interface Requirement extends Coverage {
  readonly id: string;
  readonly number: string | null;
  readonly projectId: string | null;
  readonly projectNumber: string | null;
  readonly projectName: string | null;
  /** The manufacturing line that it is a component of. */
  readonly lineId: string | null;
  readonly orderId: string | null;
  readonly itemId: string;
  readonly itemNumber: string | null;
  readonly itemName: string;
  readonly isItemArchived: boolean;
  readonly itemPicture: string | null;
  /** Number of the current revision of the item. */
  readonly itemRevision: number;
  /** The base unit of the item. */
  readonly unit: string | null;
  readonly state: string;
  readonly requiredBy: string | null;
  readonly createdAt: string;
  /** It was raised for what the structure of its project needs, and becomes less when that does. */
  readonly followsStructure: boolean;
}

export function requirementOfRow(row: RequirementRow): Requirement {
  return {
    id: row.id,
    number: row.number,
    projectId: row.project_id,
    projectNumber: row.project_number,
    projectName: row.project_name,
    lineId: row.line_id,
    orderId: row.order_id,
    itemId: row.item_id,
    itemNumber: row.item_number,
    itemName: row.item_name ?? '',
    isItemArchived: row.item_archived,
    itemPicture: row.item_picture,
    itemRevision: row.item_revision ?? 1,
    unit: row.unit,
    state: row.state,
    requiredBy: row.required_by,
    createdAt: row.created_at,
    followsStructure: row.follows_structure,
    ...coverageOf(row),
  };
}

export function coverageOf(row: RequirementQuantities): Coverage {
  const required = microOfDecimal(row.quantity);
  const reserved = microOfDecimal(row.reserved);
  const everOrdered = microOfDecimal(row.ordered);
  const underWay = everOrdered - microOfDecimal(row.received);
  // What was received for the requirement and then reserved for it is reserved, no longer ordered; otherwise
  // it would cover the requirement twice.
  const ordered = atLeastZero(everOrdered - microOfDecimal(row.converted));
  const open = required - reserved - ordered;
  const status = row.state === requirementStates.cancelled ? 'cancelled' : open > 0n ? 'open' : 'covered';
  return {
    status,
    required,
    reserved,
    issued: microOfDecimal(row.issued),
    ordered,
    underWay: atLeastZero(underWay),
    open,
    needed: atLeastZero(required - reserved - underWay),
  };
}

/**
 * Returns the requirement with so much more required, reserved or ordered, or less where it is negative. A quantity that is reserved
 * beyond the open one came for the requirement. A release gives back what was reserved last.
 */
export function coverMore(
  row: RequirementRow,
  { required = 0n, reserved = 0n, ordered = 0n }: Partial<Increase>,
): RequirementRow {
  const more = (column: string, amount: Micro) => decimalOf(microOfDecimal(column) + amount);
  const wanted = { ...row, quantity: more(row.quantity, required) };
  const { open } = coverageOf(wanted);
  const converted = reserved < 0n ? reserved : atLeastZero(reserved - atLeastZero(open));
  return {
    ...wanted,
    reserved: more(row.reserved, reserved),
    ordered: more(row.ordered, ordered),
    converted: decimalOf(atLeastZero(microOfDecimal(row.converted) + converted)),
  };
}

export interface Increase {
  required: Micro;
  reserved: Micro;
  ordered: Micro;
}
