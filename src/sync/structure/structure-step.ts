/**
 * The pass over the links of the whole batch; one thread makes it while the others do other batches. It is one transaction that may take
 * long, and has the batch's row. It stores nothing before its end, so it stops when somebody wants to end the batch.
 */
import { deserialize, serialize } from 'node:v8';
import { readRows } from '../../db/read-rows.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { readStructureEdits } from '../../entities/links/lock-structure.ts';
import {
  claimStructure,
  enterWrite,
  isEndWanted,
  saveStructure,
  selectPlace,
  selectPlans,
} from '../chunk/batch.sql.ts';
import { type PayloadPlace, readPayload, type StepOutcome } from '../chunk/claim-chunk.ts';
import { type BatchRef, pair, type StepRef, type SyncThread } from '../chunk/thread-context.ts';
import type { ChunkPlan } from '../plan/chunk-plan.ts';
import { type ChunkStructure, type NamesAt, StructurePlanner } from './plan-structure.ts';

interface StoredPlan {
  ordinal: number;
  plan: Buffer;
  /** The decisions of the structure pass before a retry about the links of a written chunk. */
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
  const planner = new StructurePlanner(namesFor(tx, ref), readingFor(ref));
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

/** Chunks that are read again for the names of those on a circle: what lies in others is told by GUID. */
const CHUNKS_NAMED_MAX = 10;

/** Looks into the payload for what elements call themselves. */
function namesFor(tx: Tx, ref: BatchRef): NamesAt {
  return async (places) => {
    const names = new Map<number, string>();
    for (const [chunk, indexes] of [...places].slice(0, CHUNKS_NAMED_MAX)) {
      await makeWay(tx, ref);
      const [place] = await tx.query<PayloadPlace>(selectPlace, [...pair(ref), chunk]);
      if (place === undefined) continue;
      for await (const elements of readPayload(tx, ref, place, indexes)) {
        for (const { index, text, rejected } of elements) {
          const name = rejected ? null : numberIn(text);
          if (name !== null) names.set(index, name);
        }
      }
    }
    return names;
  };
}

function numberIn(text: string): string | null {
  const { number } = JSON.parse(text) as { number?: unknown };
  return typeof number === 'string' && number !== '' ? number : null;
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
