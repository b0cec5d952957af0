/**
 * How much configuration one workspace may have. Writers of entities read all of it in one statement, so it
 * stays small by rule.
 */
import { AppError } from '../errors.ts';

export const configurationLimits = {
  categories: 1000,
  lifecycles: 200,
  /** Characters of one lifecycle as JSON. */
  lifecycleChars: 256 * 1024,
  propertyDefinitions: 5000,
} as const;

/** Refuses one more where there are as many as there may be. */
export function requireRoom(
  kind: 'categories' | 'lifecycles' | 'propertyDefinitions',
  present: number,
): void {
  const limit = configurationLimits[kind];
  if (present < limit) return;
  throw new AppError('configuration_full', {
    detail: `The workspace has ${limit} ${kind}, which is as many as it can have. Delete some that are not in use.`,
    extensions: { limit },
  });
}

/** Refuses a lifecycle whose settings make it larger than every read of the configuration should bear. */
export function requireLifecycleSize(lifecycle: unknown): void {
  const limit = configurationLimits.lifecycleChars;
  if (JSON.stringify(lifecycle).length <= limit) return;
  throw new AppError('payload_too_large', {
    detail: `A lifecycle has at most ${limit} characters as JSON. Shorten the settings of its feature automations.`,
    extensions: { limit },
  });
}
