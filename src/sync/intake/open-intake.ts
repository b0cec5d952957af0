/** Opens the connections and limits by which bodies are staged: on the event loop for tiny bodies, in threads for all others. */
import { connectDb } from '../../db/connect.ts';
import type { WireOptions } from '../../db/wire/wire.ts';
import type { ElementLimits } from '../elements/read-element.ts';
import { GuidHash } from '../graph/guid-hash.ts';
import type { IntakeThread } from './accept-batch.ts';
import { HeldBudget } from './held-budget.ts';

export interface IntakeOptions {
  databaseUrl: string;
  poolMax: number;
  answerMsMax: number;
  wire: WireOptions;
  limits: ElementLimits;
  inlineElementsMax: number;
}

/**
 * Planner settings of connections that prepare all statements. A plan that is kept while tables grow must leave no choice that an empty
 * table would make wrong. It is kept because PostgreSQL would otherwise plan anew for every call: it expects less work of an array with
 * one member than of any.
 */
export const onlyProbes = {
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
};

export async function openIntake({
  databaseUrl: url,
  limits,
  inlineElementsMax,
  ...connections
}: IntakeOptions): Promise<IntakeThread> {
  const db = await connectDb({
    ...connections,
    url,
    applicationName: 'partbook intake',
    preparesAll: true,
    settings: onlyProbes,
    log: { warn: () => {} },
  });
  return { db, budget: new HeldBudget(), limits, inlineElementsMax, hashOfBody: () => new GuidHash() };
}
