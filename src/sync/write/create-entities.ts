/** Creates the new entities of a chunk. */
import { allocateNumbers, formatNumber } from '../../configuration/allocate-numbers.ts';
import {
  type CategoryConfiguration,
  categoryOf,
  type WorkspaceConfiguration,
} from '../../configuration/current/workspace-configuration.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { byteaArray, textArray, uuidArray } from '../../db/wire/array-parameter.ts';
import type { ComparedEntity } from '../plan/compare-elements.ts';
import {
  guidOf,
  hashOf,
  initialStateOf,
  keyOf,
  nameOf,
  pictureOf,
  sentNumberOf,
  valuesOf,
} from '../plan/entity-columns.ts';
import { entityResults, type NotedLinks, type WrittenEntity } from '../plan/report-results.ts';
import { add, type ChunkOutcome, type ChunkWriting } from './chunk-writing.ts';
import { insertEntities } from './write-entities.sql.ts';

/**
 * They get their ids, and numbers of a scheme, in the order in which they were sent: lists in the order of ids, and lines below a parent, are then
 * as the sender's were. Of their GUIDs nothing depends on the order: what is new waits for nobody but whoever makes the very same.
 */
export async function createEntities(
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
  const places = placesAsSent(created);
  const inOrder = entitiesAt(created, places);
  const numbers = await numbersOf(tx, inOrder, configuration);
  const ids = newIds(inOrder.length);
  const categories = categoriesOf(configuration, inOrder);
  const inserting = tx.query(insertEntities, [
    tx.workspaceId,
    uuidArray(ids),
    uuidArray(inOrder.map(guidOf)),
    textArray(numbers),
    textArray(inOrder.map(nameOf)),
    textArray(categories.map(keyOf)),
    textArray(categories.map(initialStateOf)),
    textArray(inOrder.map(valuesOf)),
    byteaArray(inOrder.map(hashOf)),
    actorId,
    textArray(inOrder.map(pictureOf)),
  ]);
  tx.withCommit(inserting);
  tellCreated(outcome, { created, places, ids, numbers }, noted);
}

/** Created entities in the order of the GUIDs, and beside their ids and numbers the places in that order. */
interface Created {
  created: readonly ComparedEntity[];
  places: readonly number[];
  ids: readonly string[];
  numbers: readonly string[];
}

function tellCreated(
  outcome: ChunkOutcome,
  { created, places, ids, numbers }: Created,
  noted: NotedLinks,
): void {
  const rowAt = new Uint32Array(places.length);
  for (let row = 0; row < places.length; row++) rowAt[places[row] as number] = row;
  for (let place = 0; place < created.length; place++) {
    const entity = created[place] as ComparedEntity;
    const row = rowAt[place] as number;
    const id = ids[row] as string;
    const written = { id, versionId: id, number: numbers[row] as string, revisionNumber: 1 };
    add(outcome, entityResults(entity, 'created', written, noted));
  }
  for (let row = 0; row < places.length; row++) {
    const entity = created[places[row] as number] as ComparedEntity;
    const [id, number] = [ids[row] as string, numbers[row] as string];
    outcome.changes.push({ kind: 'created', entity, id, number });
  }
}

/**
 * A key holds the place in the payload and the place among the entities, together as much as a double holds
 * exactly.
 */
const PLACES = 2 ** 25;

/** The places of the entities in the order in which they were sent. */
function placesAsSent(entities: readonly ComparedEntity[]): number[] {
  const keys = new Float64Array(entities.length);
  for (let place = 0; place < keys.length; place++)
    keys[place] = (entities[place] as ComparedEntity).carrier.element.index * PLACES + place;
  keys.sort();
  const places: number[] = [];
  for (let i = 0; i < keys.length; i++) places.push((keys[i] as number) % PLACES);
  return places;
}

function entitiesAt(entities: readonly ComparedEntity[], places: readonly number[]): ComparedEntity[] {
  const found: ComparedEntity[] = [];
  for (let i = 0; i < places.length; i++) found.push(entities[places[i] as number] as ComparedEntity);
  return found;
}

function newIds(count: number): string[] {
  const ids: string[] = [];
  while (ids.length < count) ids.push(newId());
  return ids;
}

function categoriesOf(
  configuration: WorkspaceConfiguration,
  entities: readonly ComparedEntity[],
): CategoryConfiguration[] {
  const categories: CategoryConfiguration[] = [];
  for (let i = 0; i < entities.length; i++)
    categories.push(carrierCategory(configuration, entities[i] as ComparedEntity));
  return categories;
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
  const numbers = created.map(sentNumberOf);
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

function carrierCategory(
  configuration: WorkspaceConfiguration,
  entity: ComparedEntity,
): CategoryConfiguration {
  return categoryOf(configuration, entity.carrier.element.categoryKey);
}
