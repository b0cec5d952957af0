/** Hands the supplier parts that elements state to procurement, when their entities are written, and notes the outcome in the results. */
import { readCallerRights } from '../../access/read-caller-rights.ts';
import { mayDo } from '../../areas.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import type { TakenParts } from '../../procurement/supplier-parts/decide-parts.ts';
import {
  type Importing,
  importSupplierParts,
  type StatedParts,
} from '../../procurement/supplier-parts/import-parts.ts';
import type { ClaimedChunk } from '../chunk/claim-chunk.ts';
import type { PreparedElements } from '../elements/prepare-elements.ts';
import { type SyncResult, supplierPartRefused } from '../elements/sync-result.ts';

/** Changes the results. Rows of suppliers are locked, so nothing that others may wait for long is locked behind it. */
export async function writeSupplierParts(
  tx: Tx,
  { submitted_by: actorId, dry_run: dryRun }: Pick<ClaimedChunk, 'submitted_by' | 'dry_run'>,
  { entities }: Pick<PreparedElements, 'entities'>,
  configuration: WorkspaceConfiguration,
  results: readonly SyncResult[],
): Promise<void> {
  const stating = new Map<number, readonly unknown[]>();
  for (let i = 0; i < entities.length; i++) {
    const element = entities[i]?.carrier.element;
    if (element !== undefined && element.supplierParts !== null)
      stating.set(element.index, element.supplierParts);
  }
  if (stating.size === 0) return;
  const written = results.filter(({ index, result }) => stating.has(index) && result !== 'error');
  const stated = written.map(({ index, entityId }) => ({
    itemId: entityId ?? null,
    parts: stating.get(index) ?? [],
  }));
  const currency = configuration.stock.costing?.currency ?? null;
  const outcomes = await takeSupplierParts(tx, { actorId, dryRun, currency }, stated);
  for (const [at, { changes, refused }] of outcomes.entries()) {
    const result = written[at] as SyncResult;
    if (refused.length > 0)
      result.warnings = [...(result.warnings ?? []), ...refused.map(supplierPartRefused)];
    if (changes.length === 0) continue;
    if (result.result === 'skipped') result.result = 'updated';
    if (dryRun)
      result.changes = [
        ...(result.changes ?? []),
        ...changes.map((change) => ({ field: 'supplierParts', ...change })),
      ];
  }
}

/** Takes the supplier parts of items, if the caller may change them. Returns the outcome for each, in their order. */
async function takeSupplierParts(
  tx: Tx,
  importing: Importing,
  stated: readonly StatedParts[],
): Promise<TakenParts[]> {
  const { actorId } = importing;
  const rights = (await readCallerRights(tx, [actorId])).get(actorId);
  if (rights !== undefined && mayDo(rights, 'procurement')) return importSupplierParts(tx, importing, stated);
  return stated.map(() => ({ changes: [], refused: [AREA_MISSING] }));
}

const AREA_MISSING =
  'The supplier parts were not taken: whoever sent the element does not have the area "procurement".';
