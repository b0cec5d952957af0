/**
 * Second pass over a chunk: writes what the plan left pending. Compares again under row locks, because a
 * person may have edited an entity since it was planned; what it reports is what it did.
 */
import { releaseBlobs } from '../../blobs/store-blob.ts';
import {
  categoryOf,
  type WorkspaceConfiguration,
} from '../../configuration/current/workspace-configuration.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { byteaArray, textArray, uuidArray } from '../../db/wire/array-parameter.ts';
import { type Revising, reviseEntities } from '../../entities/revise-entities.ts';
import type { PreparedElements, PreparedEntity } from '../elements/prepare-elements.ts';
import { errorResult, type SyncResult } from '../elements/sync-result.ts';
import { guidsOf } from '../graph/guid-bytes.ts';
import {
  type ComparedEntity,
  compareElements,
  readLarge,
  type StoredEntity,
  uncompared,
} from '../plan/compare-elements.ts';
import { completeValues } from '../plan/complete-values.ts';
import {
  hashOf,
  idOf,
  isChanged,
  isNew,
  isRead,
  isStored,
  nameOf,
  numberOf,
  pictureOf,
  valuesOf,
} from '../plan/entity-columns.ts';
import { judgeNumbers } from '../plan/judge-numbers.ts';
import { entityResults } from '../plan/report-results.ts';
import { requireRoom } from '../plan/require-room.ts';
import { takePictures } from '../plan/take-pictures.ts';
import type { ChunkStructure } from '../structure/plan-structure.ts';
import { add, type ChunkOutcome, type ChunkWriting, notePlace, type WriteContext } from './chunk-writing.ts';
import { createEntities } from './create-entities.ts';
import { updateEntitiesInPlace } from './write-entities.sql.ts';

export const noStructure: ChunkStructure = {
  cycles: [],
  pendingParents: [],
  relinked: [],
  revise: [],
  links: [],
};

/**
 * Writes the elements given (all those of an entity but those that close a cycle, or none) and returns their results.
 * A dry run decides and reports the same and writes nothing. Entities whose stored values are large take turns.
 */
export async function writeChunk(
  tx: Tx,
  context: WriteContext,
  { entities, refused, limits }: PreparedElements,
  structure: ChunkStructure,
  configuration: WorkspaceConfiguration,
): Promise<SyncResult[]> {
  const all = context.compared ?? (await compareAgain(tx, context, entities, configuration));
  const rejectedParents = new Set(context.rejectedParents);
  const noted = {
    pendingParents: new Set(structure.pendingParents),
    kept: new Set(structure.keptLinks),
    rejectedParents,
  };
  const results = [...refused];
  const write = async (some: readonly ComparedEntity[]) => {
    const outcome: ChunkOutcome = { results: [], changes: [] };
    const room = requireRoom(completeValues(some, configuration), limits);
    add(outcome, room.refused);
    const { takenNumbers = null } = context;
    const { fitting, refused: numbered } = await judgeNumbers(tx, room.fitting, configuration, {
      stored: takenNumbers,
      decided: context.decidedNumbers,
    });
    add(outcome, numbered);
    for (const { guid } of outcome.results) if (guid !== null) rejectedParents.add(guid);
    const compared: ComparedEntity[] = [];
    for (const entity of fitting) {
      if (asChecked(entity, context.checkedVersions)) compared.push(entity);
      else add(outcome, staleResults(entity));
    }
    const writing: ChunkWriting = { ...context, configuration, noted, outcome };
    const created = compared.filter(isNew);
    for (const entity of created) notePlace(context, entity, false);
    await createEntities(tx, writing, created);
    const stored = compared.filter(isStored);
    await updateStored(tx, writing, stored, structure);
    await context.tell(outcome.results, outcome.changes);
    for (const result of outcome.results) results.push(result);
  };
  await write(all.filter(isRead));
  for await (const some of readLarge(tx, all, configuration)) await write(some);
  return results;
}

async function compareAgain(
  tx: Tx,
  { dryRun, absent = new Set() }: WriteContext,
  entities: readonly PreparedEntity[],
  configuration: WorkspaceConfiguration,
): Promise<ComparedEntity[]> {
  const present = entities.filter(({ guid }) => !absent.has(guid));
  const compared = (await compareElements(tx, present, configuration, !dryRun)).values();
  const all = entities.map((entity) =>
    absent.has(entity.guid) ? uncompared(entity) : (compared.next().value as ComparedEntity),
  );
  await takePictures(
    tx,
    all.filter(({ guid }) => absent.has(guid)),
  );
  return all;
}

async function updateStored(
  tx: Tx,
  writing: ChunkWriting,
  stored: readonly ComparedEntity[],
  { relinked: relinkedIndices, revise: reviseIndices, removals }: ChunkStructure,
): Promise<void> {
  const { actorId, dryRun, configuration, noted, outcome } = writing;
  const relinked = new Set(relinkedIndices);
  const revise = new Set(reviseIndices);
  const unlinked = new Set(removals === undefined ? [] : guidsOf(removals.parents));
  const changed = stored.filter(isChanged);
  const revising = new Map<ComparedEntity, Revising>();
  for (const entity of stored) {
    const { id, released, category } = entity.stored as StoredEntity;
    if (!released || (entity.changes.length === 0 && !revise.has(entity.carrier.element.index))) continue;
    const { lifecycle } = categoryOf(configuration, category);
    revising.set(entity, { id, versionId: newId(), state: lifecycle.initialState });
  }
  if (!dryRun) {
    await reviseEntities(tx, [...revising.values()], actorId);
    updateEntities(tx, changed);
  }
  for (const entity of stored) {
    const { id, versionId, revisionNumber } = entity.stored as StoredEntity;
    const revision = revising.get(entity);
    const isChanged =
      revision !== undefined ||
      entity.changes.length > 0 ||
      relinked.has(entity.carrier.element.index) ||
      unlinked.has(entity.guid);
    const updated = isChanged || entity.place !== null;
    const isOnlyMoved = !isChanged;
    notePlace(writing, entity, isOnlyMoved);
    const written = {
      id,
      versionId: revision === undefined || dryRun ? versionId : revision.versionId,
      number: entity.number,
      revisionNumber: revisionNumber + (revision === undefined ? 0 : 1),
    };
    add(outcome, entityResults(entity, updated ? 'updated' : 'skipped', written, noted));
    if (updated) outcome.changes.push({ kind: 'updated', entity, id, number: entity.number, isOnlyMoved });
  }
}

/** Whether the entity, which is locked, is the one that a committed plan was checked with. */
function asChecked({ guid, stored }: ComparedEntity, checked: ReadonlyMap<string, number> | null): boolean {
  return checked === null || checked.get(guid) === (stored?.version ?? 0);
}

function staleResults({ guid, carrier, others }: ComparedEntity): SyncResult[] {
  return [carrier.element, ...others].map(({ index }) =>
    errorResult(
      index,
      guid,
      'plan_stale',
      'The entity was edited after the plan was checked: nothing of it was written. Run it dry again.',
    ),
  );
}

function replacedPicture({ changes }: ComparedEntity): string[] {
  return changes.flatMap(({ of, property, from }) =>
    of === 'entity' && property === 'picture' && typeof from === 'string' ? [from] : [],
  );
}

function updateEntities(tx: Tx, changed: readonly ComparedEntity[]): void {
  if (changed.length === 0) return;
  const updating = tx.query(updateEntitiesInPlace, [
    tx.workspaceId,
    uuidArray(changed.map(idOf)),
    textArray(changed.map(numberOf)),
    textArray(changed.map(nameOf)),
    textArray(changed.map(valuesOf)),
    byteaArray(changed.map(hashOf)),
    textArray(changed.map(pictureOf)),
  ]);
  tx.withCommit(updating);
  const replaced = new Set(changed.flatMap(replacedPicture));
  if (replaced.size > 0) tx.withCommit(releaseBlobs(tx, [...replaced]));
}
