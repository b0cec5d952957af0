/**
 * Second pass over a chunk: writes what the plan left pending. Compares again under row locks, because a
 * person may have edited an entity since it was planned; what it reports is what it did.
 */
import { allocateNumbers } from '../configuration/allocate-numbers.ts';
import { formatNumber } from '../configuration/format-number.ts';
import type { CategoryConfiguration, WorkspaceConfiguration } from '../configuration/load-configuration.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import { type Revising, reviseEntities } from '../entities/revise-entities.ts';
import { type ComparedEntity, compareElements } from './compare-elements.ts';
import type { ChunkStructure } from './plan-structure.ts';
import type { PreparedElement, PreparedElements } from './prepare-elements.ts';
import { entityResults, unchangedResults } from './report-results.ts';
import { errorResult, type SyncResult } from './sync-result.ts';
import { insertEntities, updateEntities } from './write-entities.sql.ts';

export const noStructure: ChunkStructure = {
  cycles: [],
  pendingParents: [],
  relinked: [],
  revise: [],
  links: [],
};

/** Writes the elements given (all those of an entity, or none) and returns their results. */
export async function writeChunk(
  tx: Tx,
  workspaceId: string,
  actorId: string,
  { prepared, refused }: PreparedElements,
  structure: ChunkStructure,
  configuration: WorkspaceConfiguration,
): Promise<SyncResult[]> {
  const results = [...refused];
  const cycles = new Set(structure.cycles);
  const writable: PreparedElement[] = [];
  for (const element of prepared) {
    const { index, guid, parentGuid } = element.element;
    if (!cycles.has(index)) writable.push(element);
    else
      results.push(
        errorResult(
          index,
          guid,
          'cycle',
          `The link to parent ${parentGuid} would close a cycle in the structure.`,
        ),
      );
  }
  const compared = await compareElements(tx, workspaceId, writable, configuration, true);
  const relinked = new Set(structure.relinked);
  const pendingParents = new Set(structure.pendingParents);
  const revise = new Set(structure.revise);

  const created: ComparedEntity[] = [];
  const changed: ComparedEntity[] = [];
  const revising: { entity: ComparedEntity; revising: Revising }[] = [];
  for (const entity of compared) {
    if (entity.stored === null) {
      created.push(entity);
      continue;
    }
    if (entity.changes.length > 0) changed.push(entity);
    if (entity.stored.released && (entity.changes.length > 0 || revise.has(entity.carrier.element.index))) {
      const { lifecycle } = categoryOf(configuration, entity);
      revising.push({
        entity,
        revising: { id: entity.stored.id, versionId: newId(), state: lifecycle.initialState },
      });
    }
  }
  results.push(...(await create(tx, workspaceId, actorId, created, configuration, pendingParents)));
  await reviseEntities(
    tx,
    workspaceId,
    revising.map((one) => one.revising),
    actorId,
  );
  await update(tx, workspaceId, changed);

  const versions = new Map(revising.map(({ entity, revising: { versionId } }) => [entity.guid, versionId]));
  for (const entity of compared) {
    if (entity.stored === null) continue;
    const versionId = versions.get(entity.guid);
    const { index } = entity.carrier.element;
    const updated = versionId !== undefined || entity.changes.length > 0 || relinked.has(index);
    if (!updated && pendingParents.size === 0) {
      results.push(...unchangedResults(entity));
      continue;
    }
    const written = {
      id: entity.stored.id,
      versionId: versionId ?? entity.stored.versionId,
      number: entity.number,
      revisionNumber: entity.stored.revisionNumber + (versionId === undefined ? 0 : 1),
    };
    results.push(...entityResults(entity, updated ? 'updated' : 'skipped', written, pendingParents));
  }
  return results;
}

async function create(
  tx: Tx,
  workspaceId: string,
  actorId: string,
  created: readonly ComparedEntity[],
  configuration: WorkspaceConfiguration,
  pendingParents: ReadonlySet<number>,
): Promise<SyncResult[]> {
  if (created.length === 0) return [];
  const numbers = await numbersOf(tx, created, configuration);
  const rows = created.map((entity, i) => ({
    entity,
    id: newId(),
    versionId: newId(),
    number: numbers[i] as string,
    category: categoryOf(configuration, entity),
  }));
  await tx.query(insertEntities, [
    workspaceId,
    rows.map((row) => row.id),
    rows.map((row) => row.versionId),
    rows.map((row) => row.entity.guid),
    rows.map((row) => row.number),
    rows.map((row) => row.entity.name),
    rows.map((row) => row.category.key),
    rows.map((row) => row.category.lifecycle.initialState),
    rows.map((row) => row.entity.valuesJson),
    rows.map((row) => row.entity.hash),
    actorId,
  ]);
  return rows.flatMap(({ entity, id, versionId, number }) =>
    entityResults(entity, 'created', { id, versionId, number, revisionNumber: 1 }, pendingParents),
  );
}

/**
 * The payload's number, or the scheme's next where the category says so or the payload has none (contract §2).
 * The counter stays locked until the transaction ends, which keeps numbers free of gaps.
 */
async function numbersOf(
  tx: Tx,
  created: readonly ComparedEntity[],
  configuration: WorkspaceConfiguration,
): Promise<string[]> {
  const numbers = created.map((entity) => entity.carrier.element.number);
  const wanting = new Map<CategoryConfiguration, number[]>();
  for (const [i, entity] of created.entries()) {
    const category = categoryOf(configuration, entity);
    if (category.numbering.source === 'payload' && numbers[i] !== '') continue;
    const known = wanting.get(category);
    if (known === undefined) wanting.set(category, [i]);
    else known.push(i);
  }
  // In the order of the keys: two transactions that need the same counters take them in one order.
  const ordered = [...wanting].sort(([a], [b]) => (a.key < b.key ? -1 : 1));
  for (const [category, places] of ordered) {
    // The scheme counts in payload order, not in the order of the GUIDs.
    places.sort((a, b) => indexAt(created, a) - indexAt(created, b));
    const first = await allocateNumbers(tx, category.key, places.length);
    for (const [k, place] of places.entries())
      numbers[place] = formatNumber(category.numbering.pattern, first + k);
  }
  return numbers;
}

async function update(tx: Tx, workspaceId: string, changed: readonly ComparedEntity[]): Promise<void> {
  if (changed.length === 0) return;
  await tx.query(updateEntities, [
    workspaceId,
    changed.map((entity) => entity.stored?.id),
    changed.map((entity) => entity.number),
    changed.map((entity) => entity.name),
    changed.map((entity) => entity.valuesJson),
    changed.map((entity) => entity.hash),
  ]);
}

function indexAt(created: readonly ComparedEntity[], place: number): number {
  return (created[place] as ComparedEntity).carrier.element.index;
}

function categoryOf(configuration: WorkspaceConfiguration, entity: ComparedEntity): CategoryConfiguration {
  const category = configuration.categories.get(entity.carrier.element.categoryKey);
  if (category === undefined)
    throw new Error(`Category ${entity.carrier.element.categoryKey} was checked before`);
  return category;
}
