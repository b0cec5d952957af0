/** Replaces a part by another in assemblies, all of them or none. */
import type { Actor } from '../actor.ts';
import { isOutsideStructure, OUTSIDE_STRUCTURE } from '../configuration/categories/behaviour.ts';
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import type { WorkspaceConfiguration } from '../configuration/current/workspace-configuration.ts';
import type { Tx } from '../db/transaction.ts';
import { findEntity } from '../entities/find-entity.ts';
import { lockStructure } from '../entities/links/lock-structure.ts';
import { nameCycle } from '../entities/links/name-cycle.ts';
import { type EntityRef, requireEntityIds } from '../entities/resolve-entity.ts';
import type { StoredEntity } from '../entities/show-entity.ts';
import { AppError, invalidValue } from '../errors.ts';
import { Slices } from '../fairness/slices.ts';
import { REPLACED_PARENTS_MAX, type Replaced } from './replace.schema.ts';
import { selectAllParents, selectSomeParents } from './replace.sql.ts';
import {
  lockParentRows,
  type ParentRow,
  type Planned,
  planParents,
  showParent,
  writeParents,
} from './replaced-parents.ts';

export interface WantedReplacement {
  part: EntityRef;
  by: EntityRef;
  /** The assemblies; null for all that use the part and are not archived. */
  parents: readonly EntityRef[] | null;
  reason: string;
  dryRun: boolean;
}

/**
 * A released assembly gets a new revision first. Takes the configuration and structure locks and then the rows of the assemblies, in the
 * order in which a sync takes them. Throws `entity_not_found`, `use_not_found`, `entity_archived`, `validation_failed`,
 * `too_many_parents`, `cycle`, `quantity_out_of_range`.
 */
export async function replacePart(tx: Tx, actor: Actor, wanted: WantedReplacement): Promise<Replaced> {
  const configuration = await configurationForWriting(tx);
  await lockStructure(tx);
  const [part, by] = [await findEntity(tx, wanted.part), await findEntity(tx, wanted.by)];
  requireUsable(configuration, part, by);
  const rows = await lockParents(tx, wanted, part, by);
  const planned = await planParents(tx, configuration, rows, by);
  if (!wanted.dryRun) {
    await refuseProblems(tx, planned, by);
    await writeParents(tx, actor, { planned, part, by, reason: wanted.reason, configuration });
  }
  const slices = new Slices(tx.gone);
  const shown: Replaced['parents'] = [];
  for (const one of planned) {
    if (slices.areDue) await slices.next();
    shown.push(showParent(one));
  }
  return {
    dryRun: wanted.dryRun,
    from: part.id,
    by: by.id,
    revised: planned.filter(({ isReleased }) => isReleased).length,
    parents: shown,
  };
}

function requireUsable({ categories }: WorkspaceConfiguration, part: StoredEntity, by: StoredEntity): void {
  const invalid = (message: string) => {
    throw invalidValue('/by', message);
  };
  const name = by.number ?? by.id;
  if (part.id === by.id) invalid(`${name} cannot be replaced by itself.`);
  if (by.archived_at !== null)
    throw new AppError('entity_archived', `${name} is archived. Unarchive it first.`);
  const category = categories.get(by.category);
  if (category !== undefined && isOutsideStructure(category))
    invalid(`${name} is of category "${category.key}": ${OUTSIDE_STRUCTURE}.`);
}

/** Reads the assemblies after they are locked: until the transaction ends nobody changes them. */
async function lockParents(
  tx: Tx,
  { parents }: WantedReplacement,
  part: StoredEntity,
  by: StoredEntity,
): Promise<ParentRow[]> {
  const ids = parents === null ? null : [...new Set(await requireEntityIds(tx, parents))];
  const read = () =>
    tx.query<ParentRow>(ids === null ? selectAllParents : selectSomeParents, [
      tx.workspaceId,
      part.id,
      by.id,
      ids ?? REPLACED_PARENTS_MAX + 1,
    ]);
  const rows = await read();
  if (rows.length > REPLACED_PARENTS_MAX) {
    throw new AppError('too_many_parents', {
      detail: `More than ${REPLACED_PARENTS_MAX} assemblies use ${part.number ?? part.id}. Name up to ${REPLACED_PARENTS_MAX} of them in "parents", and repeat the call for the others.`,
      extensions: { max: REPLACED_PARENTS_MAX },
    });
  }
  if (ids !== null && rows.length < ids.length) {
    const found = new Set(rows.map(({ id }) => id));
    const missing = ids.find((id) => !found.has(id));
    throw new AppError('use_not_found', `Entity ${missing} has no child ${part.id}.`);
  }
  await lockParentRows(tx, rows);
  return read();
}

async function refuseProblems(tx: Tx, planned: readonly Planned[], by: StoredEntity): Promise<void> {
  const refused = planned.filter(({ problem }) => problem !== null);
  const [first] = refused;
  if (first?.problem == null) return;
  const { code, message } = first.problem;
  const way = code === 'cycle' ? await nameCycle(tx, first.row.id, { childId: by.id }) : null;
  throw new AppError(code, {
    detail: `${message}${way === null ? '' : ` The link would close the cycle ${way}.`} Leave it out of "parents".`,
    extensions: {
      parents: refused.map(({ row, problem }) => ({ entityId: row.id, problem: problem?.message })),
    },
  });
}
