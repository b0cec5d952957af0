/** Finds which revisions and locations a plan reads, by its options. */
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import { releasedStates } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { below } from '../../entities/locations.sql.ts';
import { AppError } from '../../errors.ts';
import type { PlanningOptions } from '../options/planning-options.schema.ts';

/** Locations whose stock one plan adds up. */
const LOCATIONS_MAX = 20_000;

/** $1 workspace, $2 location, $3 rows. */
const selectLocations = `with recursive ${below('$2::uuid')} select id from below limit $3`;

export interface InputChoice {
  /** The parameters of statements that read structures: released categories and states or null, and revisions of a what-if run. */
  readonly revisions: readonly [string[] | null, string[] | null, string[], number[]];
  /** The locations that count; null: all. */
  readonly locations: readonly string[] | null;
  /** Projects whose whole structure is needed. */
  readonly projects: readonly string[];
}

/** Reads current structures, and all locations. */
export const everything: InputChoice = { revisions: [null, null, [], []], locations: null, projects: [] };

/** Whether structures of earlier revisions are planned. */
export function readsRevisions({ revisions: [categories, , items] }: InputChoice): boolean {
  return categories !== null || items.length > 0;
}

/** Throws `tree_too_large`. */
export async function readChoice(tx: Tx, options: PlanningOptions): Promise<InputChoice> {
  const { structure, scope, revisions, projects } = options;
  const released =
    structure === 'released' ? releasedStates(await loadConfiguration(tx)) : ([null, null] as const);
  return {
    revisions: [
      ...released,
      revisions.map(({ itemEntityId }) => itemEntityId),
      revisions.map(({ revision }) => revision),
    ],
    locations: await readLocations(tx, scope?.locationEntityId ?? null),
    projects: projects.map(({ projectId }) => projectId),
  };
}

/** Returns a location and all that lie in it; null: all of the workspace. Throws `tree_too_large`. */
export async function readLocations(tx: Tx, location: string | null): Promise<string[] | null> {
  if (location === null) return null;
  const rows = await tx.query<{ id: string }>(selectLocations, [tx.workspaceId, location, LOCATIONS_MAX + 1]);
  if (rows.length > LOCATIONS_MAX)
    throw new AppError('tree_too_large', {
      detail: `More than ${LOCATIONS_MAX} locations lie in the location of the planning run. Plan a location in it.`,
      extensions: { limit: LOCATIONS_MAX },
    });
  return rows.map(({ id }) => id);
}
