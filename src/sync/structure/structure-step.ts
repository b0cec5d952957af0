/**
 * The pass over the links of the whole batch; one thread makes it while the others do other batches. It is one transaction that may take
 * long, and has the batch's row. Nothing of it is kept before its end, so it makes way for whoever wants to end the batch.
 */
import { deserialize, serialize } from 'node:v8';
import { readRows } from '../../db/read-rows.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { readStructureEdits } from '../../entities/lock-structure.ts';
import { claimStructure, enterWrite, isEndWanted, saveStructure, selectPlans } from '../chunk/batch.sql.ts';
import type { StepOutcome } from '../chunk/claim-chunk.ts';
import { type BatchRef, pair, type StepRef, type SyncThread } from '../chunk/thread-context.ts';
import type { ChunkPlan } from '../plan/chunk-plan.ts';
import { type ChunkStructure, StructurePlanner } from './plan-structure.ts';

interface StoredPlan {
  ordinal: number;
  plan: Buffer;
  /** Of a chunk that is written: what the pass before a retry said of its links. */
  decided: Buffer | null;
  written: boolean;
}

/** Rolls the pass back. */
class EndWanted extends Error {
  override readonly name = 'EndWanted';
}

/** After so many chunks it is looked whether somebody wants to end the batch: some milliseconds of the pass. */
const CHUNKS_BETWEEN_LOOKS = 4;

/** `awaited`: somebody wants to end the batch, and nothing has been done. */
export async function structureStep(thread: SyncThread, ref: StepRef): Promise<StepOutcome> {
  try {
    return await inTransaction(thread.db, { workspaceId: ref.workspaceId }, (tx) => planStructure(tx, ref));
  } catch (error) {
    if (error instanceof EndWanted) return 'awaited';
    throw error;
  }
}

async function planStructure(tx: Tx, ref: BatchRef): Promise<StepOutcome> {
  const [claimed] = await tx.query<{ exact: boolean; structure_edits: string | null }>(
    claimStructure,
    pair(ref),
  );
  if (claimed === undefined) return 'idle';
  const planner = new StructurePlanner(readingFor(ref));
  if (claimed.exact && claimed.structure_edits !== (await readStructureEdits(tx))) planner.distrustCounts();
  for (let after = -1; ; ) {
    // A few plans at a time: each is some hundred kilobytes, and a large batch has hundreds.
    const [plans] = await Promise.all([
      tx.query<StoredPlan>(selectPlans, [...pair(ref), after, claimed.exact]),
      makeWay(tx, ref),
    ]);
    for (const { ordinal, plan: stored, decided, written } of plans) {
      const plan = deserialize(stored) as ChunkPlan;
      if (plan.isWritten === true) planner.addWritten(plan.links);
      else if (!written) planner.add({ chunk: ordinal, ...plan });
      else planner.addNames(plan);
      if (decided !== null && plan.isWritten !== true)
        planner.addDecided(plan.links, (deserialize(decided) as ChunkStructure).links);
      after = ordinal;
    }
    if (plans.length === 0) break;
  }
  let saved = 0;
  for await (const [chunk, structure] of planner.plan(tx)) {
    await tx.query(saveStructure, [...pair(ref), chunk, serialize(structure)]);
    if (++saved % CHUNKS_BETWEEN_LOOKS === 0) await makeWay(tx, ref);
  }
  await tx.query(enterWrite, pair(ref));
  return 'worked';
}

/** Reads rows as `readRows` does, and looks between two portions. */
function readingFor(ref: BatchRef): typeof readRows {
  return async function* (tx, name, sql, params) {
    for await (const rows of readRows(tx, name, sql, params)) {
      yield rows as never;
      await makeWay(tx as Tx, ref);
    }
  };
}

/** Throws where somebody wants to end the batch. */
async function makeWay(tx: Tx, ref: BatchRef): Promise<void> {
  const [end] = await tx.query<{ wanted: boolean }>(isEndWanted, pair(ref));
  if (end?.wanted === true) throw new EndWanted();
}
