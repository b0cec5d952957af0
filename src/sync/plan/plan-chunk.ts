/**
 * First pass over a chunk: what does each element ask for? Nothing is written, so that cycles and released
 * parents are known before any data is, and a chunk in which nothing differs is finished here.
 */
import { isOutsideStructure } from '../../configuration/categories/behaviour.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { uuidArray } from '../../db/wire/array-parameter.ts';
import { refusesTaken } from '../../entities/numbers/taken-numbers.ts';
import type { PreparedElements, PreparedEntity } from '../elements/prepare-elements.ts';
import type { SyncResult } from '../elements/sync-result.ts';
import { GuidList } from '../graph/guid-bytes.ts';
import type { ChunkPlan } from './chunk-plan.ts';
import { lockEntitiesByGuid } from './compare-elements.sql.ts';
import { type ComparedEntity, compareElements, readLarge } from './compare-elements.ts';
import { compareLinks } from './compare-links.ts';
import { isRead } from './entity-columns.ts';
import { noneUnchanged, type UnchangedElements } from './find-unchanged.ts';
import { judgeNumbers, numbersTakenAmong } from './judge-numbers.ts';
import { packBasis } from './plan-basis.ts';
import type { PlannedLinks } from './planned-links.ts';
import { KeptLinks, packNaming } from './planned-naming.ts';
import { NumberList } from './planned-numbers.ts';
import { unchangedResults } from './report-results.ts';
import { requireRoom } from './require-room.ts';

export interface PlannedChunk {
  plan: ChunkPlan;
  /** The entities as they were read, and locked if the caller wanted that. Properties of large entities are not among them. */
  readonly compared: readonly ComparedEntity[];
  /** The numbers of the elements that stored entities have; null where that was not asked. */
  readonly takenNumbers: ReadonlySet<string> | null;
  /** Results that this pass could already give. */
  settled: SyncResult[];
  /** The basis of the plan, for a dry run and its commit (see plan-basis.ts). */
  readonly basis: Buffer;
}

/** Entities up to which a round trip costs more than what it spares. */
const PIPELINED_MAX = 250;

export interface Planning {
  configuration: WorkspaceConfiguration;
  /** The entities and their parents stay as they are until the transaction ends. */
  lock: boolean;
  /** The chunk is all of its batch, whose sender may wait for few. */
  isWhole: boolean;
  /** Whether its numbers are compared with those of other chunks (see planned-numbers.ts). */
  sharesNumbers?: boolean;
  /** The unchanged elements of the chunk. */
  unchanged?: UnchangedElements;
}

/** Plans one chunk: reads only. */
export async function planChunk(
  tx: Tx,
  { entities, refused, named, limits }: PreparedElements,
  { configuration, lock, isWhole, sharesNumbers = false, unchanged = noneUnchanged }: Planning,
): Promise<PlannedChunk> {
  const comparing = compareElements(tx, entities, configuration, lock);
  if (lock) lockFurtherParents(tx, entities);
  let kept = named === null ? null : new KeptLinks();
  // Of few, sent together: neither needs anything of the other. Of many, less is to be asked where their ids are known.
  const isSmall = isWhole && entities.length <= PIPELINED_MAX;
  const asking = isSmall ? numbersTakenAmong(tx, entities) : null;
  const known = isSmall ? null : await comparing;
  const comparingLinks = compareLinks(
    tx,
    entities,
    { configuration, kept, compared: known },
    unchanged.links,
  );
  const [compared, allLinks, takenNumbers] = await Promise.all([comparing, comparingLinks, asking]);
  const settled = [...refused];
  for (const result of unchanged.results) settled.push(result);
  const numbers = sharesNumbers ? new NumberList(configuration, await numbersTakenAmong(tx, entities)) : null;
  const sorted = new SortedEntities(settled, configuration, numbers);
  for (const { guid, index } of unchanged.held) sorted.hold(guid, index);
  const overfull = new Set<string | null>();
  const mayRefuse = [...configuration.categories.values()].some(refusesTaken);
  const takeFitting = async (some: readonly ComparedEntity[]) => {
    const room = requireRoom(some, limits);
    const { fitting, refused: numbered } = mayRefuse
      ? await judgeNumbers(tx, room.fitting, configuration, { stored: takenNumbers })
      : { fitting: room.fitting, refused: [] };
    for (const result of [...room.refused, ...numbered]) {
      overfull.add(result.guid);
      settled.push(result);
    }
    for (let i = 0; i < fitting.length; i++) sorted.take(fitting[i] as ComparedEntity);
  };
  await takeFitting(compared.filter(isRead));
  for await (const some of readLarge(tx, compared, configuration)) await takeFitting(some);
  const fitting = overfull.size === 0 ? compared : compared.filter(({ guid }) => !overfull.has(guid));
  let links = allLinks;
  if (overfull.size > 0) {
    kept = named === null ? null : new KeptLinks();
    links = await compareLinks(tx, fitting, { configuration, kept, compared: null }, unchanged.links);
  }
  const plan = sorted.pack(links);
  if (named !== null && kept !== null) {
    const fits = new Set(fitting.map(({ guid }) => guid));
    const without = entities.filter(({ guid }) => !fits.has(guid));
    plan.naming = packNaming(named, kept, fitting, without);
  }
  return new Planned(plan, compared, takenNumbers, settled);
}

class Planned implements PlannedChunk {
  readonly plan: PlannedChunk['plan'];
  readonly compared: PlannedChunk['compared'];
  readonly takenNumbers: PlannedChunk['takenNumbers'];
  readonly settled: PlannedChunk['settled'];
  #basis: Buffer | null = null;

  constructor(
    plan: PlannedChunk['plan'],
    compared: PlannedChunk['compared'],
    takenNumbers: PlannedChunk['takenNumbers'],
    settled: PlannedChunk['settled'],
  ) {
    this.plan = plan;
    this.compared = compared;
    this.takenNumbers = takenNumbers;
    this.settled = settled;
  }

  get basis(): Buffer {
    this.#basis ??= packBasis(this.plan, this.compared);
    return this.#basis;
  }
}

/** The entities of a chunk by what is to be done with them; the results of those with which nothing is go to `settled`. */
class SortedEntities {
  readonly #settled: SyncResult[];
  readonly #newGuids = new GuidList();
  readonly #newCarriers: number[] = [];
  readonly #outsideGuids = new GuidList();
  readonly #heldGuids = new GuidList();
  readonly #heldIndexes: number[] = [];
  readonly #pending: number[] = [];
  readonly #groups: number[][] = [];

  readonly #categories: WorkspaceConfiguration['categories'];
  readonly #numbers: NumberList | null;

  constructor(settled: SyncResult[], { categories }: WorkspaceConfiguration, numbers: NumberList | null) {
    this.#settled = settled;
    this.#numbers = numbers;
    this.#categories = categories;
  }

  /** An entity that is released and of which nothing changes. */
  hold(guid: string, index: number): void {
    this.#heldGuids.push(guid);
    this.#heldIndexes.push(index);
  }

  take(entity: ComparedEntity): void {
    this.#numbers?.take(entity);
    if (entity.others.length > 0) this.#groups.push(indexesOf(entity));
    if (entity.stored === null) {
      this.#newGuids.push(entity.guid);
      this.#newCarriers.push(1 + entity.others.length);
      const category = this.#categories.get(entity.carrier.element.categoryKey);
      if (category !== undefined && isOutsideStructure(category)) this.#outsideGuids.push(entity.guid);
    }
    const asks = entity.stored === null || entity.changes.length > 0 || entity.place !== null;
    // Supplier parts are compared when they are written.
    const states = entity.carrier.element.supplierParts !== null;
    if (asks || states) {
      if (entity.others.length === 0) this.#pending.push(entity.carrier.element.index);
      else for (const index of indexesOf(entity)) this.#pending.push(index);
    }
    if (entity.stored === null || asks) return;
    if (entity.stored.released) this.hold(entity.guid, entity.carrier.element.index);
    if (states) return;
    for (const result of unchangedResults(entity)) this.#settled.push(result);
  }

  pack(links: PlannedLinks): ChunkPlan {
    const numbers = this.#numbers?.pack();
    return {
      ...(numbers === undefined ? {} : { numbers }),
      newGuids: this.#newGuids.bytes,
      newCarriers: new Uint32Array(this.#newCarriers),
      ...(this.#outsideGuids.bytes.length === 0 ? {} : { outsideGuids: this.#outsideGuids.bytes }),
      heldGuids: this.#heldGuids.bytes,
      heldIndexes: new Uint32Array(this.#heldIndexes),
      links,
      pending: new Uint32Array(this.#pending),
      groups: this.#groups,
    };
  }
}

/** Places in the payload of all elements of one entity. */
function indexesOf(entity: ComparedEntity): number[] {
  return [entity.carrier.element.index, ...entity.others.map(({ index }) => index)];
}

/** Locks the parents that are not among the entities, which are locked before them. */
function lockFurtherParents(tx: Tx, entities: readonly PreparedEntity[]): void {
  const parents = new Set<string>();
  for (const { carrier, others } of entities)
    for (const { parentGuid } of [carrier.element, ...others])
      if (parentGuid !== null) parents.add(parentGuid);
  for (const { guid } of entities) parents.delete(guid);
  if (parents.size === 0) return;
  // Statements after it in the burst fail with it.
  tx.withCommit(tx.query(lockEntitiesByGuid, [tx.workspaceId, uuidArray([...parents].sort())]));
}
