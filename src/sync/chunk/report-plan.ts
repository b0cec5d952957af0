/** What a dry run adds to results, so that a person can review the plan (contract §2.6). */

import type { LinkChange, PlannedChange, SyncResult } from '../elements/sync-result.ts';
import { guidAt } from '../graph/guid-bytes.ts';
import type { PlannedLinks } from './planned-links.ts';
import type { WrittenChange } from './write-chunk.ts';

/** Puts the changes of data and of links on the results that speak of them. */
export function reportPlan(
  results: readonly SyncResult[],
  changes: readonly WrittenChange[],
  links: PlannedLinks | null,
  places: readonly number[],
): void {
  const byIndex = new Map(results.map((result) => [result.index, result]));
  for (const result of results) {
    if (result.result === 'error') continue;
    result.changes = [];
    result.links = [];
  }
  for (const { kind, entity } of changes) {
    const result = byIndex.get(entity.carrier.element.index);
    if (result === undefined) continue;
    result.changes =
      kind === 'created' ? everything(entity, result.number ?? null) : entity.changes.map(toChange);
  }
  if (links === null) return;
  for (const place of places) {
    const change: LinkChange = {
      parentGuid: guidAt(links.parents, place),
      from: quantityOf(links.stored[place] as number),
      to: quantityOf(links.quantities[place] as number),
    };
    byIndex.get(links.firstIndexes[place] as number)?.links?.push(change);
  }
}

function everything(entity: WrittenChange['entity'], number: string | null): PlannedChange[] {
  return [
    { field: 'number', from: null, to: number },
    { field: 'name', from: null, to: entity.name },
    ...[...entity.carrier.values].map(([field, to]) => ({ field: `properties.${field}`, from: null, to })),
  ];
}

function toChange({ property, of, from, to }: WrittenChange['entity']['changes'][number]): PlannedChange {
  return { field: of === 'property' ? `properties.${property}` : property, from, to };
}

function quantityOf(micros: number): number | null {
  return Number.isNaN(micros) ? null : micros / 1e6;
}
