/**
 * Opens a small batch that is applied where it is accepted, in one burst: its locks, what it has to know, and the stored state of its
 * entities. This works because the configuration is expected to be the same as last time; if it has changed, the entities are prepared
 * and compared again.
 */
import { cacheOf } from '../../configuration/current/configuration-cache.ts';
import { configurationHeld } from '../../configuration/current/configuration-for-writing.ts';
import { markPropertiesUsed } from '../../configuration/current/mark-properties-used.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { contextTypesOf } from '../../events/record-events.ts';
import { isLinked, type OpenedBatch, type Prepare, underStructureLock } from '../apply/apply-batch.ts';
import type { PreparedElements } from '../elements/prepare-elements.ts';
import { noneUnchanged } from '../plan/find-unchanged.ts';
import { type PlannedChunk, planChunk } from '../plan/plan-chunk.ts';
import { propertyKeys } from '../write/write-elements.ts';
import { openSmallBatch } from './stage-batch.sql.ts';

interface OpenedRow {
  /** The version of the configuration; null where nothing was ever configured. */
  configuration: string | null;
  listened: number[];
  links_wait: boolean;
  holds_structure: boolean;
}

/** Rejects where batches stand before it. */
export async function openInline(tx: Tx, prepare: Prepare, exact: boolean): Promise<OpenedBatch> {
  const expected = cacheOf(tx.db).last(tx.workspaceId);
  const ahead = expected === null ? null : await prepare(expected.configuration, null);
  const mayLink = exact || (ahead !== null && isLinked(ahead));
  const opening = tx.query<OpenedRow>(openSmallBatch, [tx.workspaceId, mayLink]);
  const planning = expected === null || ahead === null ? null : plan(tx, ahead, expected.configuration);
  // Where the first fails, it says why.
  planning?.catch(() => {});
  const [row] = await opening;
  if (row === undefined) throw new Error('A function without an answer');
  const { configuration: version, listened, links_wait: linksWait, holds_structure: holdsStructure } = row;
  const opened = { listened: contextTypesOf(listened), linksWait, unchanged: noneUnchanged };
  const configuration = await configurationHeld(tx, version);
  if (ahead !== null && planning !== null && configuration === expected?.configuration)
    return { ...opened, configuration, elements: ahead, planned: await planning };
  await planning;
  const elements = await prepare(configuration, null);
  // Only where the change of the configuration is what lets the first element in that names a parent are rows locked before this.
  const waits = isLinked(elements) && !holdsStructure ? await underStructureLock(tx) : linksWait;
  const planned = await plan(tx, elements, configuration);
  return { ...opened, configuration, elements, planned, linksWait: waits };
}

/** Properties before entities, as every writer of them. */
async function plan(
  tx: Tx,
  elements: PreparedElements,
  configuration: WorkspaceConfiguration,
): Promise<PlannedChunk> {
  const marking = markPropertiesUsed(tx, configuration, propertyKeys(elements));
  const [planned] = await Promise.all([
    planChunk(tx, elements, { configuration, lock: true, isWhole: true }),
    marking,
  ]);
  return planned;
}
