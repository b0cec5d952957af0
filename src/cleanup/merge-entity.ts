/** Merges an entity into another: what uses it uses the other, its stock is the other's, and its names are aliases of the other. */
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import { categoryOf, type WorkspaceConfiguration } from '../configuration/current/workspace-configuration.ts';
import { lockConfiguration } from '../configuration/lock-configuration.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import { findEntity } from '../entities/find-entity.ts';
import { lockStructure, noteStructureEdit } from '../entities/links/lock-structure.ts';
import type { EntityRef } from '../entities/resolve-entity.ts';
import { reviseEntities } from '../entities/revise-entities.ts';
import type { StoredEntity } from '../entities/show-entity.ts';
import { AppError, invalidValue } from '../errors.ts';
import { recordEntityUpdated } from '../events/record-entity-events.ts';
import { listeningSlug } from '../events/record-events.ts';
import { moveForecasts } from '../planning/forecasts/forecasts.sql.ts';
import { forecastsOfMerged } from '../planning/forecasts/merge-forecasts.ts';
import { lockPlanning } from '../procurement/reorder/planning.sql.ts';
import { requestLooks } from '../stock/events/reorder-looks.ts';
import { moveSubscriptions } from '../subscriptions/subscriptions.sql.ts';
import { lockAcceptance } from '../sync/intake/stage-batch.sql.ts';
import { MERGED_CHILDREN_MAX, MERGED_MAX, type Merged } from './merge.schema.ts';
import {
  archiveMerged,
  countLinks,
  insertAlias,
  moveChildren,
  moveComments,
  movePendingLinks,
  movePlanning,
  moveSupplierParts,
  selectParentsOfMerged,
  selectSettings,
  touchStaying,
} from './merge.sql.ts';
import { reasonsAgainst } from './merge-reasons.ts';
import { moveMergedStock, readMergedStock } from './merge-stock.ts';
import { lockParentRows, type ParentRow, planParents, writeParents } from './replaced-parents.ts';
import {
  aliasesOf,
  type Links,
  movesChildren,
  nameOf,
  type Plan,
  planningOf,
  type Settings,
  showMerge,
} from './show-merge.ts';

export interface WantedMerge {
  /** The entity that stays. */
  into: EntityRef;
  from: EntityRef;
  reason: string | null;
  dryRun: boolean;
}

/**
 * Takes the acceptance lock, the configuration lock alone, the structure lock, and then rows in the order in which a sync and a booking
 * lock them; a dry run shares the configuration. No batch of several chunks is under way, so that no plan of one names the merged entity.
 * Throws `entity_not_found`, `validation_failed`, `merge_refused`, `insufficient_stock`, `lot_refused`, `quantity_out_of_range`.
 */
export async function mergeEntity(tx: Tx, actor: Actor, wanted: WantedMerge): Promise<Merged> {
  const { dryRun, reason } = wanted;
  if (!dryRun) {
    await tx.query(lockAcceptance, [tx.workspaceId]);
    await lockConfiguration(tx);
  }
  const configuration = await configurationForWriting(tx);
  await lockStructure(tx);
  const [into, from] = [await findEntity(tx, wanted.into), await findEntity(tx, wanted.from)];
  if (into.id === from.id) throw refuseItself(into);
  const plan = await makePlan(tx, configuration, { into, from }, dryRun);
  if (!dryRun) {
    if (plan.reasons.length > 0) throw refusal(plan);
    await write(tx, actor, plan, reason);
  }
  return showMerge(plan, dryRun);
}

async function makePlan(
  tx: Tx,
  configuration: WorkspaceConfiguration,
  { into, from }: Pick<Plan, 'into' | 'from'>,
  dryRun: boolean,
): Promise<Plan> {
  const ends = [tx.workspaceId, from.id, into.id];
  const readParents = () => tx.query<ParentRow>(selectParentsOfMerged, [...ends, MERGED_MAX + 1]);
  let rows = await readParents();
  if (!dryRun && rows.length <= MERGED_MAX) {
    await lockParentRows(tx, [...rows, into, from]);
    rows = await readParents();
  }
  const parents = await planParents(tx, configuration, rows.slice(0, MERGED_MAX), into);
  if (!dryRun) for (const id of [from.id, into.id].sort()) await tx.query(lockPlanning, [tx.workspaceId, id]);
  const [links] = await tx.query<Links>(countLinks, [...ends, MERGED_CHILDREN_MAX + 1]);
  const [settings] = await tx.query<Settings>(selectSettings, ends);
  if (links === undefined || settings === undefined) throw new Error('A count without a row');
  const note = `Merged ${nameOf(from)} into ${nameOf(into)}`.slice(0, 500);
  const stock = await readMergedStock(tx, from.id, into.id, { isLocked: !dryRun, note });
  const forecasts = await forecastsOfMerged(tx, { from: from.id, into: into.id, isLocked: !dryRun });
  const planned = { configuration, into, from, parents, links, stock, settings, forecasts: forecasts.count };
  const problems = { parents: rows.length, forecasts: forecasts.problem };
  return { ...planned, reasons: await reasonsAgainst(tx, planned, problems) };
}

async function write(tx: Tx, actor: Actor, plan: Plan, given: string | null): Promise<void> {
  const { configuration, into, from, parents, links, stock, forecasts } = plan;
  const reason = given ?? `Merged into ${nameOf(into)}`;
  const of = [tx.workspaceId, from.id];
  if (movesChildren(plan)) {
    const { initialState } = categoryOf(configuration, into.category).lifecycle;
    if (into.released)
      await reviseEntities(tx, [{ id: into.id, versionId: newId(), state: initialState }], actor.id);
    await tx.query(moveChildren, [...of, into.id]);
  }
  await writeParents(tx, actor, { planned: parents, part: from, by: into, reason, configuration });
  if (links.pending > 0) await tx.query(movePendingLinks, [...of, into.id]);
  await moveMergedStock(tx, actor, from.id, into.id, stock);
  if (links.supplier_parts > 0) await tx.query(moveSupplierParts, [...of, into.id]);
  await tx.query(moveComments, [...of, into.id]);
  await tx.query(moveSubscriptions, [...of, into.id]);
  if (planningOf(plan) === 'moved') await tx.query(movePlanning, [...of, into.id]);
  if (forecasts > 0) await tx.query(moveForecasts, [...of, into.id]);
  if ((await listeningSlug(tx, 'belowReorderPoint')) !== null)
    await requestLooks(tx, { items: [from.id, into.id], procured: [] });
  const { guid, number } = aliasesOf(plan);
  const [archived] = await tx.query<{ archived_at: string }>(archiveMerged, of);
  await tx.query(touchStaying, [tx.workspaceId, into.id, from.guid, from.number]);
  await tx.query(insertAlias, [...of, into.id, guid, number]);
  await noteStructureEdit(tx);
  const { into: _, dryRun: __, reasons: ___, parents: shown, ...counts } = showMerge(plan, false);
  const { examples: ____, ...parentCounts } = shown;
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'entity',
    subjectKey: into.id,
    before: { merged: null },
    after: { merged: { ...counts, number: from.number, guid: from.guid, parents: parentCounts }, reason },
  });
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'entity',
    subjectKey: from.id,
    before: { E_Guid: from.guid, number: from.number, archivedAt: from.archived_at, mergedInto: null },
    after: {
      E_Guid: null,
      number: null,
      archivedAt: archived?.archived_at ?? null,
      mergedInto: into.id,
      reason,
    },
  });
  const { version_id: versionId, category } = into;
  await recordEntityUpdated(tx, { ...into, guid: into.guid ?? from.guid, versionId, category }, [
    { property: 'mergedFrom', from: null, to: from.id },
  ]);
  await recordEntityUpdated(tx, { ...from, versionId: from.version_id }, [
    { property: 'mergedInto', from: null, to: into.id },
  ]);
}

function refuseItself(entity: StoredEntity): AppError {
  const message = `${nameOf(entity)} cannot be merged into itself.`;
  return invalidValue('/from', message);
}

function refusal({ from, into, reasons }: Plan): AppError {
  return new AppError('merge_refused', {
    detail: `${nameOf(from)} cannot be merged into ${nameOf(into)}: ${reasons[0]?.message}`,
    extensions: { reasons },
  });
}
