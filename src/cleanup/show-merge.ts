/** The plan of a merge, and how the API shows it. */
import type { WorkspaceConfiguration } from '../configuration/current/workspace-configuration.ts';
import type { StoredEntity } from '../entities/show-entity.ts';
import { microOfDecimal, numberOf } from '../quantity.ts';
import { MERGED_SHOWN_MAX, type Merged, type MergeReason } from './merge.schema.ts';
import type { MergedStock } from './merge-stock.ts';
import type { Planned } from './replaced-parents.ts';

export interface Settings {
  aliases: number;
  further: number;
  from_unit: string | null;
  into_unit: string | null;
  from_tracking: string | null;
  into_tracking: string | null;
  importing: boolean;
  from_plans: boolean;
  into_plans: boolean;
}

export interface Links {
  children: number;
  has_own: boolean;
  pending: number;
  supplier_parts: number;
}

export interface Plan {
  configuration: WorkspaceConfiguration;
  into: StoredEntity;
  from: StoredEntity;
  parents: readonly Planned[];
  links: Links;
  stock: MergedStock;
  settings: Settings;
  forecasts: number;
  reasons: readonly MergeReason[];
}

/** The structure of the entity that stays holds: children move only to one that has none. */
export function movesChildren({ links }: Plan): boolean {
  return links.children > 0 && !links.has_own;
}

/** The planning of the entity that stays holds. */
export function planningOf({ settings }: Plan): Merged['planning'] {
  if (!settings.from_plans) return 'none';
  return settings.into_plans ? 'left' : 'moved';
}

/** An entity that has no GUID takes that of the merged one. */
export function aliasesOf({ into, from }: Plan): { guid: string | null; number: string | null } {
  return { guid: into.guid === null ? null : from.guid, number: from.number };
}

export function nameOf({ number, id }: StoredEntity): string {
  return number ?? id;
}

export function showMerge(plan: Plan, dryRun: boolean): Merged {
  const { into, from, parents, links, stock, settings, forecasts, reasons } = plan;
  const sum = (column: 'on_hand' | 'reserved' | 'on_order') =>
    numberOf(stock.positions.reduce((total, row) => total + microOfDecimal(row[column]), 0n));
  const moves = movesChildren(plan);
  return {
    dryRun,
    into: into.id,
    from: from.id,
    reasons: [...reasons],
    aliases: { ...aliasesOf(plan), further: settings.further },
    parents: {
      count: parents.length,
      revised: parents.filter(({ isReleased }) => isReleased).length,
      examples: parents.slice(0, MERGED_SHOWN_MAX).map(({ row, isReleased, quantity }) => ({
        entityId: row.id,
        number: row.number,
        name: row.name,
        revised: isReleased,
        quantity: Number(row.quantity),
        quantityAfter: numberOf(quantity),
      })),
    },
    children: {
      moved: moves ? links.children : 0,
      left: moves ? 0 : links.children,
      revised: moves && into.released,
    },
    pendingLinks: links.pending,
    lines: stock.lines.length,
    requirements: stock.requirements.length,
    supplierParts: links.supplier_parts,
    planning: planningOf(plan),
    forecasts,
    stock: {
      positions: stock.positions.length,
      onHand: sum('on_hand'),
      reserved: sum('reserved'),
      onOrder: sum('on_order'),
      lots: stock.lots.length,
      // A hold ends with its release, and begins again: two entries of its own.
      entries: stock.releases.length + stock.transfers.length + stock.takes.length + 2 * stock.holds.length,
    },
  };
}
