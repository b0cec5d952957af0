/**
 * Elements that were sent before word for word, and whose entities nobody has changed since: they are not parsed, checked, coerced,
 * nor compared. That is said by the hash that the sync before has kept with the entity (see elements/sent-element.ts), which whoever
 * writes the entity otherwise takes away; links have no such hash and are looked up.
 */
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { byteaArray, int4Array, textArray, uuidArray } from '../../db/wire/array-parameter.ts';
import { microDoubleOfDecimal } from '../../quantity.ts';
import { type ClaimedChunk, prepareChunk, readPayload } from '../chunk/claim-chunk.ts';
import type { BatchRef } from '../chunk/thread-context.ts';
import type { StagedElement } from '../elements/payload-codec.ts';
import { ElementPreparer, type PreparedElements } from '../elements/prepare-elements.ts';
import type { ElementLimits } from '../elements/read-element.ts';
import { type SentElement, SentReader, WRITTEN_BYTES } from '../elements/sent-element.ts';
import type { SyncResult } from '../elements/sync-result.ts';
import { type ComparedEntity, isReleased, type StoredEntity } from './compare-elements.ts';
import type { SummedLink } from './compare-links.ts';
import { keepHashes, selectUnchanged } from './find-unchanged.sql.ts';
import { endOfRecord, FIELD_END, rangeAround, readNear, type UnchangedEntity } from './read-near.ts';
import { skippedResult } from './report-results.ts';

/** The results and links of the unchanged elements of a chunk. */
export interface UnchangedElements {
  results: readonly SyncResult[];
  /** Unchanged elements whose entities are released. */
  held: readonly { guid: string; index: number }[];
  /** Links to parents that are not stored, or not with that quantity. */
  links: readonly SummedLink[];
}

export const noneUnchanged: UnchangedElements = { results: [], held: [], links: [] };

/** Number of elements that are compared first. If few of them were sent before, no others are compared: most batches are new, or known as a whole. */
const SAMPLE = 64;
const WORTH_ONE_IN = 4;

/** The chunk's elements: those that were sent before, and all others prepared. */
export async function prepareUnlessUnchanged(
  tx: Tx,
  ref: BatchRef,
  chunk: ClaimedChunk,
  preparing: { configuration: WorkspaceConfiguration; limits: ElementLimits },
): Promise<{ elements: PreparedElements; unchanged: UnchangedElements }> {
  const { configuration, limits } = preparing;
  const preparer = new ElementPreparer(configuration, limits, null);
  const reader = new SentReader(configuration, limits);
  const search = new Search(configuration);
  for await (const elements of readPayload(tx, ref, chunk)) {
    const staged: StagedElement[] = [];
    const sent: (SentElement | null)[] = [];
    for (const element of elements) {
      staged.push(element);
      sent.push(element.rejected ? null : reader.read(element.text));
    }
    const isFound = await search.among(tx, staged, sent);
    for (let i = 0; i < staged.length; i++)
      if (!isFound[i]) preparer.add(staged[i] as StagedElement, sent[i] as SentElement | null);
  }
  // All elements of an entity are taken together, and another of the same GUID could be found by parsing alone.
  if (search.isRepeated || anyOf(search.guids, preparer))
    return { elements: await prepareChunk(tx, ref, chunk, preparing), unchanged: noneUnchanged };
  return { elements: preparer.finish(), unchanged: search };
}

function anyOf(guids: readonly string[], preparer: ElementPreparer): boolean {
  for (let i = 0; i < guids.length; i++) if (preparer.has(guids[i] as string)) return true;
  return false;
}

/** A part of the chunk that is looked up with one statement. */
interface Segment {
  staged: readonly StagedElement[];
  /** The identity that was read of each element. */
  sent: readonly (SentElement | null)[];
  /** Whether each element is unchanged, by its place. */
  isFound: Uint8Array;
}

function sentAt(sent: readonly (SentElement | null)[], places: readonly number[]): SentElement[] {
  const asked: SentElement[] = [];
  for (let i = 0; i < places.length; i++) asked.push(sent[places[i] as number] as SentElement);
  return asked;
}

class Search implements UnchangedElements {
  readonly results: SyncResult[] = [];
  readonly held: { guid: string; index: number }[] = [];
  readonly links: SummedLink[] = [];
  readonly guids: string[] = [];
  readonly #configuration: WorkspaceConfiguration;
  /** States in which entities of some category are released. */
  readonly #heldStates: readonly string[];
  readonly #found = new Set<string>();
  #isWorthIt = true;

  constructor(configuration: WorkspaceConfiguration) {
    this.#configuration = configuration;
    const lifecycles = [...configuration.categories.values()].map(({ lifecycle }) => lifecycle);
    this.#heldStates = [...new Set(lifecycles.flatMap(({ releasedStates }) => [...releasedStates]))];
  }

  /** Two elements of one GUID were found. */
  get isRepeated(): boolean {
    return this.#found.size < this.guids.length;
  }

  /** Returns whether each element is unchanged, by its place. */
  async among(
    tx: Tx,
    staged: readonly StagedElement[],
    sent: readonly (SentElement | null)[],
  ): Promise<Uint8Array> {
    const segment = { staged, sent, isFound: new Uint8Array(staged.length) };
    const asked: number[] = [];
    for (let i = 0; i < sent.length; i++) if (sent[i] !== null) asked.push(i);
    const first = this.guids.length === 0 && asked.length > 2 * SAMPLE ? SAMPLE : 0;
    if (first > 0) await this.#judge(first, () => this.#ask(tx, asked.slice(0, first), segment));
    if (this.#isWorthIt)
      await this.#judge(asked.length - first, async () => {
        const left = await this.#askNear(tx, asked.slice(first), segment);
        if (left.length > 0) await this.#ask(tx, left, segment);
      });
    return segment.isFound;
  }

  /** Asks for so many, and no more where few of them are found. */
  async #judge(asked: number, ask: () => Promise<void>): Promise<void> {
    const before = this.guids.length;
    await ask();
    this.#isWorthIt = (this.guids.length - before) * WORTH_ONE_IN >= asked;
  }

  /** Looks for each of those at these places. */
  async #ask(tx: Tx, places: readonly number[], segment: Segment): Promise<void> {
    const asked = sentAt(segment.sent, places);
    const { parents, placeOf } = placeParents(asked);
    const [row] = await tx.query<{ unchanged: string | null }>(selectUnchanged, [
      tx.workspaceId,
      uuidArray(asked.map(guidOf)),
      byteaArray(asked.map(hashOf)),
      uuidArray(parents),
      int4Array(placeOf),
      textArray(this.#heldStates),
    ]);
    const lines = row?.unchanged ?? '';
    for (let at = 0; at < lines.length; ) {
      const end = endOfRecord(lines, at);
      const [ordinal, id, number, quantity, held, revision, versionId] = lines
        .slice(at, end)
        .split(FIELD_END);
      this.#take(places[Number(ordinal)] as number, segment, {
        id: id as string,
        number: number === '' ? null : (JSON.parse(number as string) as string),
        quantity: quantity as string,
        held: held as string,
        revisionNumber: revision === undefined ? 1 : Number(revision),
        versionId: versionId ?? (id as string),
      });
      at = end + 1;
    }
  }

  /** Reads what lies beside what was found, and returns the places that it says nothing of. */
  async #askNear(tx: Tx, places: number[], segment: Segment): Promise<number[]> {
    const range = places.length > SAMPLE ? rangeAround(this.results) : null;
    if (range === null) return places;
    const asked = sentAt(segment.sent, places);
    const { parents, placeOf } = placeParents(asked);
    const near = await readNear(tx, { range, asked, parents, placeOf, heldStates: this.#heldStates });
    const left: number[] = [];
    for (let i = 0; i < places.length; i++) {
      const said = near[i];
      if (said === undefined) left.push(places[i] as number);
      else if (said !== null) this.#take(places[i] as number, segment, said);
    }
    return left;
  }

  #take(place: number, { staged, sent, isFound }: Segment, entity: UnchangedEntity): void {
    const { guid, parentGuid } = sent[place] as SentElement;
    const { index } = staged[place] as StagedElement;
    const { id, held, quantity } = entity;
    isFound[place] = 1;
    this.guids.push(guid);
    this.#found.add(guid);
    this.results.push(skippedResult(index, guid, entity));
    if (held !== '') {
      const [category, state] = JSON.parse(held) as [string, string];
      if (isReleased(this.#configuration, category, state)) this.held.push({ guid, index });
    }
    if (quantity !== '')
      this.links.push({
        childGuid: guid,
        parentGuid: parentGuid as string,
        quantityMicros: microDoubleOfDecimal(quantity),
        indexes: [index],
        line: null,
        childId: id,
      });
  }
}

const guidOf = ({ guid }: SentElement) => guid;
const hashOf = ({ hash }: SentElement) => hash;

/** The parents, each once, and beside the elements their places among them, from 1; 0 for none. */
function placeParents(asked: readonly SentElement[]): { parents: string[]; placeOf: number[] } {
  const parents: string[] = [];
  const known = new Map<string, number>();
  const placeOf: number[] = [];
  for (let i = 0; i < asked.length; i++) {
    const { parentGuid } = asked[i] as SentElement;
    if (parentGuid === null) {
      placeOf.push(0);
      continue;
    }
    let place = known.get(parentGuid);
    if (place === undefined) {
      place = parents.push(parentGuid);
      known.set(parentGuid, place);
    }
    placeOf.push(place);
  }
  return { parents, placeOf };
}

/** The hash of at most one in so many elements of a chunk is renewed. */
const KEPT_ONE_IN = 8;

/**
 * Stores the hash of unchanged elements whose entity has none that fits: after an older release, a change of
 * configuration, or an edit that led to the same data. It handles a few entities at a time, so that no batch pays
 * much, and skips entities with a hash of this configuration, because some senders' text differs every time. The
 * write travels with the commit and waits for nobody, so it is the last to lock rows. `elementCount` is that of the
 * chunk; only compared entities that were not written are considered.
 */
export function keepSent(tx: Tx, compared: readonly ComparedEntity[], elementCount: number): void {
  const unchanged = compared.filter(isUnchanged);
  const most = Math.ceil(elementCount / KEPT_ONE_IN);
  // From anywhere: those that are never kept must not stand before the others each time.
  const from = unchanged.length <= most ? 0 : Math.floor(Math.random() * (unchanged.length - most + 1));
  const some = unchanged.slice(from, from + most);
  if (some.length === 0) return;
  const keeping = tx.query(keepHashes, [
    tx.workspaceId,
    uuidArray(some.map(({ stored }) => (stored as StoredEntity).id)),
    int4Array(some.map(({ stored }) => (stored as StoredEntity).version)),
    byteaArray(some.map(({ hash }) => hash)),
  ]);
  tx.withCommit(keeping);
}

function isUnchanged({ stored, unread, changes, place, hash }: ComparedEntity): boolean {
  const isKnown = hash !== null && hash.length > WRITTEN_BYTES;
  return isKnown && stored !== null && unread === null && changes.length === 0 && place === null;
}
