/** Replaces a part by another in assemblies, all of them or none. */
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { isOutsideStructure, OUTSIDE_STRUCTURE } from '../configuration/categories/behaviour.ts';
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import { categoryOf, type WorkspaceConfiguration } from '../configuration/current/workspace-configuration.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import { findEntity } from '../entities/find-entity.ts';
import { designatorsFit, type LinkLine, linkLimits, showLine } from '../entities/link-line.ts';
import { lockStructure, noteStructureEdit } from '../entities/lock-structure.ts';
import { nameCycle } from '../entities/name-cycle.ts';
import { type EntityRef, resolveEntityIds } from '../entities/resolve-entity.ts';
import { reviseEntities } from '../entities/revise-entities.ts';
import { revisionLabel } from '../entities/revision-label.ts';
import type { StoredEntity } from '../entities/show-entity.ts';
import { AppError } from '../errors.ts';
import { Slices } from '../fairness/slices.ts';
import { decimalOf, MICRO_MAX, type Micro, numberOf } from '../quantity.ts';
import { joinLinks } from './join-links.ts';
import { REPLACED_PARENTS_MAX, type Replaced } from './replace.schema.ts';
import {
  dropPendingLinks,
  lockInOrder,
  replaceLinks,
  selectAllParents,
  selectBelow,
  selectSomeParents,
  touchEntities,
} from './replace.sql.ts';

export interface WantedReplacement {
  part: EntityRef;
  by: EntityRef;
  /** The assemblies; null for all that use the part and are not archived. */
  parents: readonly EntityRef[] | null;
  reason: string;
  dryRun: boolean;
}

interface ParentRow {
  id: string;
  guid: string | null;
  quantity: string;
  line: LinkLine | null;
  other_quantity: string | null;
  other_line: LinkLine | null;
  number: string | null;
  name: string;
  category: string;
  state: string;
  revision_number: number;
}

/** The change of one assembly. */
interface Planned {
  row: ParentRow;
  isReleased: boolean;
  quantity: Micro;
  line: LinkLine | null;
  /** The line as it is stored: lines can have thousands of designators, so each is written in a turn of its own. */
  lineJson: string | null;
  problem: { code: 'cycle' | 'quantity_out_of_range'; message: string } | null;
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
  const slices = new Slices(tx.gone);
  const below = new Set(
    (await tx.query<{ id: string }>(selectBelow, [tx.workspaceId, by.id, rows.map(({ id }) => id)])).map(
      ({ id }) => id,
    ),
  );
  const planned: Planned[] = [];
  for (const row of rows) {
    if (slices.areDue) await slices.next();
    planned.push(planParent(configuration, row, below.has(row.id)));
  }
  if (!wanted.dryRun) {
    await refuseProblems(tx, planned, by);
    await write(tx, actor, { planned, part, by, reason: wanted.reason, configuration });
  }
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
    throw new AppError('validation_failed', {
      detail: `The request is not valid. ${message}`,
      errors: [{ pointer: '/by', code: 'invalid_value', message }],
    });
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
  const ids = parents === null ? null : await idsOf(tx, parents);
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
  const inOrder = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map(({ id }) => id);
  await tx.query(lockInOrder, [tx.workspaceId, inOrder]);
  return read();
}

/** Sorts by GUID, as a sync does; entities without one come last. */
const keyOf = ({ guid, id }: ParentRow) => `${guid ?? '~'} ${id}`;

async function idsOf(tx: Tx, refs: readonly EntityRef[]): Promise<string[]> {
  const found = await resolveEntityIds(tx, refs);
  const missing = refs.find((ref) => !found.has(ref));
  if (missing !== undefined)
    throw new AppError('entity_not_found', `There is no entity ${missing} in this workspace.`);
  return [...new Set(found.values())];
}

/** An assembly that uses both parts gets the lines of both. */
function planParent(configuration: WorkspaceConfiguration, row: ParentRow, closesCycle: boolean): Planned {
  const present = row.other_quantity === null ? null : { quantity: row.other_quantity, line: row.other_line };
  const { quantity, line, lineCount } = joinLinks(row, present);
  const name = row.number ?? row.name;
  const problem = (): Planned['problem'] => {
    if (closesCycle)
      return { code: 'cycle', message: `${name} is itself a part of the part that would be used instead.` };
    if (quantity > MICRO_MAX)
      return {
        code: 'quantity_out_of_range',
        message: `The quantity in ${name} would have more than 9 integer digits.`,
      };
    const { linesMax, designatorsMax, designatorCharsOfAllMax } = linkLimits;
    if (lineCount > linesMax)
      return {
        code: 'quantity_out_of_range',
        message: `The part would stand in more than ${linesMax} lines of ${name}.`,
      };
    // Fields that a sync stored may be beyond the limits already.
    if (present === null || designatorsFit({ quantity: numberOf(quantity), line })) return null;
    const message = `The part would have more than ${designatorsMax} reference designators in ${name}, or more than ${designatorCharsOfAllMax} characters of them.`;
    return { code: 'quantity_out_of_range', message };
  };
  return {
    row,
    isReleased: categoryOf(configuration, row.category).lifecycle.releasedStates.has(row.state),
    quantity,
    line,
    lineJson: line === null ? null : JSON.stringify(line),
    problem: problem(),
  };
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

interface Writing {
  planned: readonly Planned[];
  part: StoredEntity;
  by: StoredEntity;
  reason: string;
  configuration: WorkspaceConfiguration;
}

async function write(
  tx: Tx,
  actor: Actor,
  { planned, part, by, reason, configuration }: Writing,
): Promise<void> {
  if (planned.length === 0) return;
  const revising = planned.flatMap(({ row, isReleased }) => {
    if (!isReleased) return [];
    const { initialState } = categoryOf(configuration, row.category).lifecycle;
    return { id: row.id, versionId: newId(), state: initialState };
  });
  await reviseEntities(tx, revising, actor.id);
  const ids = planned.map(({ row }) => row.id);
  const ends = [tx.workspaceId, ids, part.id, by.id];
  await tx.query(replaceLinks, [
    ...ends,
    planned.map(({ quantity }) => decimalOf(quantity)),
    planned.map(({ lineJson }) => lineJson),
  ]);
  await tx.query(dropPendingLinks, ends);
  await tx.query(touchEntities, [tx.workspaceId, ids]);
  await noteStructureEdit(tx);
  const slices = new Slices(tx.gone);
  for (const { row, quantity, line } of planned) {
    if (slices.areDue) await slices.next();
    const recording = recordChange(tx, {
      actor,
      action: 'update',
      subjectType: 'entity',
      subjectKey: row.id,
      before: { child: part.id, quantity: Number(row.quantity), line: row.line },
      after: { child: by.id, quantity: numberOf(quantity), line, reason },
    });
    tx.withCommit(recording);
  }
}

function showParent({ row, isReleased, quantity, line, problem }: Planned): Replaced['parents'][number] {
  return {
    entityId: row.id,
    number: row.number,
    name: row.name,
    revision: revisionLabel(row.revision_number + (isReleased ? 1 : 0)),
    revised: isReleased,
    quantity: Number(row.quantity),
    quantityAfter: numberOf(quantity),
    ...showLine(line),
    problem: problem?.message ?? null,
  };
}
