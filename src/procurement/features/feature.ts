/**
 * A feature automation: a built-in action attached to a lifecycle transition (interface, Automation). A
 * new one is a file beside this one, its name in configuration/feature-names.ts and its line in registry.ts,
 * which the compiler asks for.
 */
import type { z } from 'zod';
import type { FeatureName } from '../../configuration/feature-names.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Transitioned } from '../../entities/transition-entity.ts';

export interface FeatureRun<Settings> {
  happened: Transitioned;
  settings: Settings;
}

export interface Feature<Schema extends z.ZodType = z.ZodType> {
  key: FeatureName;
  name: string;
  description: string;
  /** When it runs (contract §5.2). */
  contextTypeId: number;
  /** Strict, every field with a default or optional: `{}` is always valid. */
  settingsSchema: Schema;
  /** False where attaching it does not do yet what the description says. */
  implemented: boolean;
  /** Takes locks that must come before anything that the transition's features do, its own and others'. */
  prepare?(tx: Tx, run: FeatureRun<z.output<Schema>>): Promise<void>;
  /** In the transition's transaction; what it throws undoes the transition. */
  run(tx: Tx, run: FeatureRun<z.output<Schema>>): Promise<void>;
}

export function defineFeature<Schema extends z.ZodType>(feature: Feature<Schema>): Feature<Schema> {
  return feature;
}
