/**
 * Second pass over a chunk: writes what the plan left pending. Compares again under row locks, because a
 * person may have edited an entity since it was planned; what it reports is what it did.
 */
import { allocateNumbers, formatNumber } from '../../configuration/allocate-numbers.ts';
import {
  type CategoryConfiguration,
  categoryOf,
  type WorkspaceConfiguration,
} from '../../configuration/current/workspace-configuration.ts';
import { byteaArray, textArray, uuidArray } from '../../db/array-parameter.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
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
} from './compare-elements.ts';
import type { ChunkStructure } from './plan-structure.ts';
import { entityResults, type NotedLinks, type WrittenEntity } from './report-results.ts';
import { requireRoom } from './require-room.ts';
import { insertEntities, updateEntitiesInPlace } from './write-entities.sql.ts';

export const noStructure: ChunkStructure = {
  cycles: [],
  pendingParents: [],
  relinked: [],
  revise: [],
  links: [],
};

/** In which batch, and whether it only says what it would do. */
export interface WriteContext {
  actorId: string;
  dryRun: boolean;
  /** Of a committed plan whose check was another transaction: the versions it saw, by GUID (0: not stored). */
  checkedVersions: ReadonlyMap<string, number> | null;
  /** The entities, where they are locked and compared already. */
  compared?: readonly ComparedEntity[] | undefined;
  /**
   * GUIDs that were not stored when the chunk was planned: they are not looked for again. Where somebody has created one
   * meanwhile the insert fails, and the work runs again without this.
   */
  absent?: ReadonlySet<string> | undefined;
  /** Told of what became of some of the entities, which are not held any longer than that. */
  tell(results: readonly SyncResult[], changes: readonly WrittenChange[]): Promise<void>;
}

/** What became of one entity of the chunk. */
export interface WrittenChange {
  kind: 'created' | 'updated';
  entity: ComparedEntity;
  /** Null for a new entity in a dry run. */
  id: string | null;
  number: string | null;
}

interface ChunkOutcome {
  /** What is new, and all else, each in the order of the GUIDs. */
  results: SyncResult[];
  /** For events: what is new in the order in which it was sent, all else in the order of the GUIDs. */
  changes: WrittenChange[];
}

/** What writing the entities of a chunk goes by, and what comes of it. */
interface ChunkWriting extends WriteContext {
  configuration: WorkspaceConfiguration;
  noted: NotedLinks;
  outcome: ChunkOutcome;
}

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
  const noted = {
    pendingParents: new Set(structure.pendingParents),
    kept: new Set(structure.keptLinks),
  };
  const results = [...refused];
  const write = async (some: readonly ComparedEntity[]) => {
    const outcome: ChunkOutcome = { results: [], changes: [] };
    const { fitting, refused: overfull } = requireRoom(some, limits);
    add(outcome, overfull);
    const compared: ComparedEntity[] = [];
    for (const entity of fitting) {
      if (asChecked(entity, context.checkedVersions)) compared.push(entity);
      else add(outcome, staleResults(entity));
    }
    const writing: ChunkWriting = { ...context, configuration, noted, outcome };
    const created = compared.filter((entity) => entity.stored === null);
    await createEntities(tx, writing, created);
    const stored = compared.filter((entity) => entity.stored !== null);
    await updateStored(tx, writing, stored, structure);
    await context.tell(outcome.results, outcome.changes);
    for (const result of outcome.results) results.push(result);
  };
  await write(all.filter(({ unread }) => unread === null));
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
  return entities.map((entity) =>
    absent.has(entity.guid) ? uncompared(entity) : (compared.next().value as ComparedEntity),
  );
}

/**
 * They get their ids, and numbers of a scheme, in the order in which they were sent: lists in the order of ids, and lines below a parent, are then
 * as the sender's were. Of their GUIDs nothing depends on the order: what is new waits for nobody but whoever makes the very same.
 */
async function createEntities(
  tx: Tx,
  { actorId, dryRun, configuration, noted, outcome }: ChunkWriting,
  created: readonly ComparedEntity[],
): Promise<void> {
  if (created.length === 0) return;
  if (dryRun) {
    for (const entity of created) {
      const planned = plannedEntity(entity, configuration);
      add(outcome, entityResults(entity, 'created', planned, noted));
      outcome.changes.push({ kind: 'created', entity, id: planned.id, number: planned.number });
    }
    return;
  }
  const places = Uint32Array.from(created, (_, place) => place);
  places.sort((a, b) => indexAt(created, a) - indexAt(created, b));
  const inOrder = Array.from(places, (place) => created[place] as ComparedEntity);
  const numbers = await numbersOf(tx, inOrder, configuration);
  const rows = inOrder.map((entity, i) => ({
    entity,
    id: newId(),
    number: numbers[i] as string,
    category: carrierCategory(configuration, entity),
  }));
  const inserting = tx.query(insertEntities, [
    tx.workspaceId,
    uuidArray(rows.map((row) => row.id)),
    uuidArray(rows.map((row) => row.entity.guid)),
    textArray(rows.map((row) => row.number)),
    textArray(rows.map((row) => row.entity.name)),
    textArray(rows.map((row) => row.category.key)),
    textArray(rows.map((row) => row.category.lifecycle.initialState)),
    textArray(rows.map((row) => row.entity.valuesJson)),
    byteaArray(rows.map((row) => row.entity.hash)),
    actorId,
  ]);
  tx.withCommit(inserting);
  const rowAt = new Uint32Array(places.length);
  for (let row = 0; row < places.length; row++) rowAt[places[row] as number] = row;
  for (const row of rowAt) {
    const { entity, id, number } = rows[row] as (typeof rows)[number];
    add(outcome, entityResults(entity, 'created', { id, versionId: id, number, revisionNumber: 1 }, noted));
  }
  for (const { entity, id, number } of rows) outcome.changes.push({ kind: 'created', entity, id, number });
}

async function updateStored(
  tx: Tx,
  { actorId, dryRun, configuration, noted, outcome }: ChunkWriting,
  stored: readonly ComparedEntity[],
  { relinked: relinkedIndices, revise: reviseIndices, removals }: ChunkStructure,
): Promise<void> {
  const relinked = new Set(relinkedIndices);
  const revise = new Set(reviseIndices);
  const unlinked = new Set(removals === undefined ? [] : guidsOf(removals.parents));
  const changed = stored.filter((entity) => entity.changes.length > 0);
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
    const updated =
      revision !== undefined ||
      entity.changes.length > 0 ||
      relinked.has(entity.carrier.element.index) ||
      unlinked.has(entity.guid);
    const written = {
      id,
      versionId: revision === undefined || dryRun ? versionId : revision.versionId,
      number: entity.number,
      revisionNumber: revisionNumber + (revision === undefined ? 0 : 1),
    };
    add(outcome, entityResults(entity, updated ? 'updated' : 'skipped', written, noted));
    if (updated) outcome.changes.push({ kind: 'updated', entity, id, number: entity.number });
  }
}

/** One by one: an entity may have a hundred thousand elements, and a call no such number of arguments. */
function add({ results }: ChunkOutcome, more: readonly SyncResult[]): void {
  for (const result of more) results.push(result);
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

/** A dry run takes no number from a scheme and makes no ids. */
function plannedEntity(entity: ComparedEntity, configuration: WorkspaceConfiguration): WrittenEntity {
  const { numbering } = carrierCategory(configuration, entity);
  const number = numbering.source === 'payload' && entity.number !== '' ? entity.number : null;
  return { id: null, versionId: null, number, revisionNumber: 1 };
}

/**
 * The payload's number, or the scheme's next where the category says so or the payload has none (contract §2.4).
 * The counter stays locked until the transaction ends, which keeps numbers free of gaps. The scheme counts in the order of `created`.
 */
async function numbersOf(
  tx: Tx,
  created: readonly ComparedEntity[],
  configuration: WorkspaceConfiguration,
): Promise<string[]> {
  const numbers = created.map((entity) => entity.carrier.element.number);
  const wanting = new Map<CategoryConfiguration, number[]>();
  for (const [i, entity] of created.entries()) {
    const category = carrierCategory(configuration, entity);
    if (category.numbering.source === 'payload' && numbers[i] !== '') continue;
    const known = wanting.get(category);
    if (known === undefined) wanting.set(category, [i]);
    else known.push(i);
  }
  // In the order of the keys: two transactions that need the same counters take them in one order.
  const ordered = [...wanting].sort(([a], [b]) => (a.key < b.key ? -1 : 1));
  for (const [category, places] of ordered) {
    const first = await allocateNumbers(tx, category.key, places.length);
    for (const [k, place] of places.entries())
      numbers[place] = formatNumber(category.numbering.pattern, first + k);
  }
  return numbers;
}

function updateEntities(tx: Tx, changed: readonly ComparedEntity[]): void {
  if (changed.length === 0) return;
  const updating = tx.query(updateEntitiesInPlace, [
    tx.workspaceId,
    uuidArray(changed.map((entity) => (entity.stored as StoredEntity).id)),
    textArray(changed.map((entity) => entity.number)),
    textArray(changed.map((entity) => entity.name)),
    textArray(changed.map((entity) => entity.valuesJson)),
    byteaArray(changed.map((entity) => entity.hash)),
  ]);
  tx.withCommit(updating);
}

function indexAt(created: readonly ComparedEntity[], place: number): number {
  return (created[place] as ComparedEntity).carrier.element.index;
}

function carrierCategory(
  configuration: WorkspaceConfiguration,
  entity: ComparedEntity,
): CategoryConfiguration {
  return categoryOf(configuration, entity.carrier.element.categoryKey);
}
