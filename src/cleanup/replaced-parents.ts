/** The change of assemblies in which one part takes the place of another: planned, shown and written. The structure lock is held. */
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { categoryOf, type WorkspaceConfiguration } from '../configuration/current/workspace-configuration.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import { designatorsFit, type LinkLine, linkLimits, showLine } from '../entities/links/link-line.ts';
import { noteStructureEdit } from '../entities/links/lock-structure.ts';
import { reviseEntities } from '../entities/revise-entities.ts';
import { revisionLabel } from '../entities/revision-label.ts';
import type { StoredEntity } from '../entities/show-entity.ts';
import { Slices } from '../fairness/slices.ts';
import { decimalOf, MICRO_MAX, type Micro, numberOf } from '../quantity.ts';
import { joinLinks } from './join-links.ts';
import type { Replaced } from './replace.schema.ts';
import { dropPendingLinks, lockInOrder, replaceLinks, selectBelow, touchEntities } from './replace.sql.ts';

export interface ParentRow {
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
export interface Planned {
  row: ParentRow;
  isReleased: boolean;
  quantity: Micro;
  line: LinkLine | null;
  /** The line as it is stored: lines can have thousands of designators, so each is written in a turn of its own. */
  lineJson: string | null;
  problem: { code: 'cycle' | 'quantity_out_of_range'; message: string } | null;
}

/** Locks the assemblies in the order in which a sync locks them. */
export async function lockParentRows(tx: Tx, rows: readonly Pick<ParentRow, 'id' | 'guid'>[]): Promise<void> {
  const inOrder = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map(({ id }) => id);
  await tx.query(lockInOrder, [tx.workspaceId, inOrder]);
}

/** Sorts by GUID, as a sync does; entities without one come last. */
const keyOf = ({ guid, id }: Pick<ParentRow, 'id' | 'guid'>) => `${guid ?? '~'} ${id}`;

/** Plans the change of each assembly. One that the part instead is built of has a problem: it would be part of itself. */
export async function planParents(
  tx: Tx,
  configuration: WorkspaceConfiguration,
  rows: readonly ParentRow[],
  by: StoredEntity,
): Promise<Planned[]> {
  const slices = new Slices(tx.gone);
  const ids = rows.map(({ id }) => id);
  const found = await tx.query<{ id: string }>(selectBelow, [tx.workspaceId, by.id, ids]);
  const below = new Set(found.map(({ id }) => id));
  const planned: Planned[] = [];
  for (const row of rows) {
    if (slices.areDue) await slices.next();
    planned.push(planParent(configuration, row, by, below.has(row.id)));
  }
  return planned;
}

/** An assembly that uses both parts gets the lines of both. */
function planParent(
  configuration: WorkspaceConfiguration,
  row: ParentRow,
  by: StoredEntity,
  closesCycle: boolean,
): Planned {
  const present = row.other_quantity === null ? null : { quantity: row.other_quantity, line: row.other_line };
  const { quantity, line, lineCount } = joinLinks(row, present, by);
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

export interface ReplacedLinks {
  planned: readonly Planned[];
  part: StoredEntity;
  by: StoredEntity;
  reason: string;
  configuration: WorkspaceConfiguration;
}

export async function writeParents(
  tx: Tx,
  actor: Actor,
  { planned, part, by, reason, configuration }: ReplacedLinks,
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

export function showParent({
  row,
  isReleased,
  quantity,
  line,
  problem,
}: Planned): Replaced['parents'][number] {
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
