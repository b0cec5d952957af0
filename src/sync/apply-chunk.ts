/**
 * The steps of a batch that threads take, each one transaction on one chunk: claim it, do the pass, store
 * what the next pass needs. Killed at any line, the chunk is as it was before, and the next lane claims it.
 */
import { deserialize, serialize } from 'node:v8';
import { holdConfiguration } from '../configuration/hold-configuration.ts';
import { loadConfiguration } from '../configuration/load-configuration.ts';
import { markPropertiesUsed } from '../configuration/mark-properties-used.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import {
  claimChunk,
  claimStructure,
  completeBatch,
  saveChunk,
  saveStructure,
  selectPayload,
  selectPlans,
  setChunkPhase,
} from './batch.sql.ts';
import { guidAt, guidsOf } from './guid-bytes.ts';
import { linkChunk, type WantedLink } from './link-chunk.ts';
import { packJson, type StagedElement, unpackElements, unpackJson } from './payload-codec.ts';
import { type ChunkPlan, planChunk } from './plan-chunk.ts';
import { type ChunkStructure, StructurePlanner } from './plan-structure.ts';
import type { PlannedLinks } from './planned-links.ts';
import { type PreparedElements, prepareElements } from './prepare-elements.ts';
import { countResults, type SyncResult } from './sync-result.ts';
import type { BatchRef, SyncThread } from './thread-context.ts';
import { noStructure, writeChunk } from './write-chunk.ts';

/** `idle`: no chunk was to be had in this phase, be it that none is left or that others work on the rest. */
export type StepOutcome = 'worked' | 'idle';

/** A step failed; says at which chunk, so that a poison chunk can be told from a broken connection. */
export class ChunkError extends Error {
  readonly chunk: number;
  constructor(chunk: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'ChunkError';
    this.chunk = chunk;
  }
}

interface ClaimedChunk {
  ordinal: number;
  plan: Buffer | null;
  structure: Buffer | null;
  results: Buffer | null;
  submitted_by: string;
}

type Phase = 'plan' | 'write' | 'link';

/** First pass: what does each element ask for? A chunk in which nothing differs ends here. */
export function planStep(thread: SyncThread, ref: BatchRef): Promise<StepOutcome> {
  return withChunk(thread, ref, 'plan', async (tx, chunk) => {
    const configuration = await loadConfiguration(tx);
    const elements = prepareElements(await readPayload(tx, ref, chunk.ordinal), configuration, thread.limits);
    const { plan, settled } = await planChunk(tx, ref.workspaceId, elements, configuration);
    const keep = plan.pending.length > 0 || plan.links.count > 0 || plan.heldIndexes.length > 0;
    await save(tx, ref, chunk.ordinal, {
      phase: plan.pending.length > 0 ? 'write' : 'done',
      plan: keep ? serialize(plan) : null,
      results: settled,
      hasLinks: plan.links.count > 0,
    });
  });
}

/** The pass over the links of the whole batch; one thread makes it while the others do other batches. */
export function structureStep(thread: SyncThread, ref: BatchRef): Promise<StepOutcome> {
  return inTransaction(thread.db, { workspaceId: ref.workspaceId }, async (tx) => {
    const claimed = await tx.query(claimStructure, [ref.workspaceId, ref.batchId]);
    if (claimed.length === 0) return 'idle';
    const planner = new StructurePlanner();
    for (let after = -1; ; ) {
      // A few plans at a time: each is some hundred kilobytes, and a large batch has hundreds.
      const plans = await tx.query<{ ordinal: number; plan: Buffer }>(selectPlans, [
        ref.workspaceId,
        ref.batchId,
        after,
      ]);
      for (const { ordinal, plan } of plans) {
        planner.add({ chunk: ordinal, ...(deserialize(plan) as ChunkPlan) });
        after = ordinal;
      }
      if (plans.length === 0) break;
    }
    for (const [chunk, structure] of await planner.plan(tx, ref.workspaceId)) {
      await tx.query(saveStructure, [ref.workspaceId, ref.batchId, chunk, serialize(structure)]);
    }
    await tx.query(`update sync_batch set phase = 'write' where workspace_id = $1 and id = $2`, [
      ref.workspaceId,
      ref.batchId,
    ]);
    return 'worked';
  });
}

/** Second pass: entities and revisions. */
export function writeStep(thread: SyncThread, ref: BatchRef): Promise<StepOutcome> {
  return withChunk(thread, ref, 'write', async (tx, chunk) => {
    if (chunk.plan === null) throw new Error('A chunk that is to be written has no plan');
    const plan = deserialize(chunk.plan) as ChunkPlan;
    const structure =
      chunk.structure === null ? noStructure : (deserialize(chunk.structure) as ChunkStructure);
    await holdConfiguration(tx);
    const configuration = await loadConfiguration(tx);
    const due = dueIndexes(plan, structure);
    const staged = (await readPayload(tx, ref, chunk.ordinal)).filter((element) => due.has(element.index));
    const elements = prepareElements(staged, configuration, thread.limits);
    await markPropertiesUsed(tx, configuration, propertyKeys(elements));
    const written = await writeChunk(
      tx,
      ref.workspaceId,
      chunk.submitted_by,
      elements,
      structure,
      configuration,
    );
    const settled = chunk.results === null ? [] : unpackJson<SyncResult[]>(chunk.results);
    await save(tx, ref, chunk.ordinal, {
      phase: structure.links.length > 0 || plan.newCarriers.length > 0 ? 'link' : 'done',
      plan: chunk.plan,
      results: [...settled.filter((result) => !due.has(result.index)), ...written],
      hasLinks: plan.links.count > 0,
    });
  });
}

/** Last pass: links, once all entities of the batch are there. */
export function linkStep(thread: SyncThread, ref: BatchRef): Promise<StepOutcome> {
  return withChunk(thread, ref, 'link', async (tx, chunk) => {
    if (chunk.plan === null) throw new Error('A chunk that is to be linked has no plan');
    const plan = deserialize(chunk.plan) as ChunkPlan;
    const places = chunk.structure === null ? [] : (deserialize(chunk.structure) as ChunkStructure).links;
    const configuration = await loadConfiguration(tx);
    await linkChunk(
      tx,
      ref.workspaceId,
      chunk.submitted_by,
      wantedLinks(plan.links, places),
      guidsOf(plan.newGuids),
      configuration,
    );
    await tx.query(setChunkPhase, [ref.workspaceId, ref.batchId, chunk.ordinal, 'done']);
  });
}

/** All passes over a batch of one chunk and its end, in one transaction: what most calls send. */
export function wholeStep(thread: SyncThread, ref: BatchRef): Promise<StepOutcome> {
  return withChunk(thread, ref, 'plan', async (tx, chunk) => {
    await holdConfiguration(tx);
    const configuration = await loadConfiguration(tx);
    const elements = prepareElements(await readPayload(tx, ref, chunk.ordinal), configuration, thread.limits);
    await markPropertiesUsed(tx, configuration, propertyKeys(elements));
    let structure = noStructure;
    let links: WantedLink[] = [];
    const linked = elements.prepared.some(({ element }) => element.parentGuid !== null);
    if (linked) {
      const { plan } = await planChunk(tx, ref.workspaceId, elements, configuration);
      const planner = new StructurePlanner();
      planner.add({ chunk: chunk.ordinal, ...plan });
      structure = (await planner.plan(tx, ref.workspaceId)).get(chunk.ordinal) ?? noStructure;
      links = wantedLinks(plan.links, structure.links);
    }
    const results = await writeChunk(
      tx,
      ref.workspaceId,
      chunk.submitted_by,
      elements,
      structure,
      configuration,
    );
    const created = results.flatMap((result) => (result.result === 'created' ? [result.guid as string] : []));
    await linkChunk(tx, ref.workspaceId, chunk.submitted_by, links, created, configuration);
    await save(tx, ref, chunk.ordinal, { phase: 'done', plan: null, results, hasLinks: linked });
    await tx.query(completeBatch, [ref.workspaceId, ref.batchId]);
  });
}

async function withChunk(
  thread: SyncThread,
  ref: BatchRef,
  phase: Phase,
  work: (tx: Tx, chunk: ClaimedChunk) => Promise<void>,
): Promise<StepOutcome> {
  return inTransaction(
    thread.db,
    { workspaceId: ref.workspaceId },
    async (tx) => {
      const [chunk] = await tx.query<ClaimedChunk>(claimChunk, [ref.workspaceId, ref.batchId, phase]);
      if (chunk === undefined) return 'idle';
      try {
        await work(tx, chunk);
      } catch (error) {
        throw new ChunkError(chunk.ordinal, error);
      }
      return 'worked';
    },
    // Somebody may create an entity with the same GUID between the comparison and the insert.
    { retryOn: ['23505'] },
  );
}

async function readPayload(tx: Tx, ref: BatchRef, chunk: number): Promise<StagedElement[]> {
  const rows = await tx.query<{ elements: Buffer }>(selectPayload, [ref.workspaceId, ref.batchId, chunk]);
  return rows.flatMap((row) => unpackElements(row.elements));
}

interface SavedChunk {
  phase: 'write' | 'link' | 'done';
  plan: Buffer | null;
  results: SyncResult[];
  hasLinks: boolean;
}

async function save(tx: Tx, ref: BatchRef, chunk: number, saved: SavedChunk): Promise<void> {
  const results = saved.results.sort((a, b) => a.index - b.index);
  const { created, updated, skipped, error, warnings } = countResults(results);
  await tx.query(saveChunk, [
    ref.workspaceId,
    ref.batchId,
    chunk,
    saved.phase,
    saved.plan,
    packJson(results),
    created,
    updated,
    skipped,
    error,
    warnings,
    saved.hasLinks,
  ]);
}

/** Elements to be written: what the plan left, and all elements of any entity that the structure concerns. */
function dueIndexes(plan: ChunkPlan, structure: ChunkStructure): Set<number> {
  const due = new Set<number>(plan.pending);
  const concerned = [structure.cycles, structure.pendingParents, structure.relinked, structure.revise];
  for (const indexes of concerned) for (const index of indexes) due.add(index);
  for (const group of plan.groups) {
    if (group.some((index) => due.has(index))) for (const index of group) due.add(index);
  }
  return due;
}

function wantedLinks(links: PlannedLinks, places: readonly number[]): WantedLink[] {
  return places.map((place) => ({
    childGuid: guidAt(links.children, place),
    parentGuid: guidAt(links.parents, place),
    quantityMicros: links.quantities[place] as number,
  }));
}

function propertyKeys({ prepared }: PreparedElements): Set<string> {
  const keys = new Set<string>();
  for (const { values } of prepared) for (const key of values.keys()) keys.add(key);
  return keys;
}
