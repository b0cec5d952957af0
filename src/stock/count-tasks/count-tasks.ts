/** Creates, changes and ends count tasks. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { newId } from '../../db/ids.ts';
import { rfc3339 } from '../../db/time.ts';
import type { Tx } from '../../db/transaction.ts';
import { parentsAround } from '../../entities/locations.sql.ts';
import { entityNotFound } from '../../entities/resolve-entity.ts';
import { AppError, invalidValue } from '../../errors.ts';
import { findStockEntities, notFor, refuseArchived } from '../movements/find-stock-entities.ts';
import type { CountTask, CountTaskPatch, NewCountTask } from './count-task.schema.ts';
import {
  countOpenTasks,
  insertTask,
  lockTask,
  nameActor,
  selectCounter,
  selectTask,
  updateTask,
} from './count-tasks.sql.ts';

export interface CountTaskRow {
  id: string;
  location_id: string;
  location_number: string | null;
  location_name: string | null;
  below: boolean;
  assigned_to: string | null;
  assigned_name: string | null;
  due_on: string | null;
  note: string | null;
  status: CountTask['status'];
  created_by: string;
  creator_type: Actor['type'] | null;
  creator_name: string | null;
  created_at: string;
  ended_by: string | null;
  ender_type: Actor['type'] | null;
  ender_name: string | null;
  ended_at: string | null;
}

export function showTask(row: CountTaskRow): CountTask {
  return {
    id: row.id,
    location: { id: row.location_id, number: row.location_number, name: row.location_name ?? '' },
    below: row.below,
    assignedTo: row.assigned_to === null ? null : { id: row.assigned_to, name: row.assigned_name ?? '' },
    dueOn: row.due_on,
    note: row.note,
    status: row.status,
    createdBy: whoIs(row.created_by, row.creator_type, row.creator_name),
    createdAt: rfc3339(row.created_at),
    endedBy: row.ended_by === null ? null : whoIs(row.ended_by, row.ender_type, row.ender_name),
    endedAt: row.ended_at === null ? null : rfc3339(row.ended_at),
  };
}

const whoIs = (id: string, type: Actor['type'] | null, name: string | null) => ({
  type: type ?? ('system' as const),
  id,
  name: name ?? '',
});

/** Throws `count_task_not_found`. */
export async function findTask(tx: Tx, id: string, { lock = false } = {}): Promise<CountTaskRow> {
  if (lock) await tx.query(lockTask, [tx.workspaceId, id]);
  const [row] = await tx.query<CountTaskRow>(selectTask, [tx.workspaceId, id]);
  if (row === undefined) throw new AppError('count_task_not_found', 'There is no count task with this id.');
  return row;
}

/** Throws `entity_not_found`, `not_a_location`, `entity_archived`, `validation_failed`, and as `requireRoom` does. */
export async function createTask(
  tx: Tx,
  actor: Actor,
  { location: ref, below, assignedTo, dueOn, note }: NewCountTask,
  tasksMax: number,
): Promise<CountTaskRow> {
  const location = (await findStockEntities(tx, [ref])).get(ref);
  if (location === undefined) throw entityNotFound(ref);
  if (!location.isLocation) throw new AppError('not_a_location', notFor('locations', location));
  if (location.isArchived) throw refuseArchived(location);
  if (assignedTo !== null) await requireCounter(tx, assignedTo);
  await requireRoom(tx, tasksMax);
  const id = newId();
  await tx.query(nameActor, [tx.workspaceId, actor.id, actor.type, actor.name]);
  await tx.query(insertTask, [tx.workspaceId, id, location.id, below, assignedTo, dueOn, note, actor.id]);
  const row = await findTask(tx, id);
  await recordTask(tx, actor, null, row);
  return row;
}

/** Changes a task that is locked. Throws `validation_failed`, and as `requireRoom` does for a task that is opened again. */
export async function changeTask(
  tx: Tx,
  actor: Actor,
  before: CountTaskRow,
  patch: Omit<CountTaskPatch, 'assignedTo'> & { assignedTo?: string | null | undefined; tasksMax: number },
): Promise<CountTaskRow> {
  const { below = before.below, dueOn = before.due_on, note = before.note, status = before.status } = patch;
  const { assignedTo = before.assigned_to } = patch;
  if (assignedTo !== null && assignedTo !== before.assigned_to) await requireCounter(tx, assignedTo);
  if (status === 'open' && before.status !== 'open') await requireRoom(tx, patch.tasksMax);
  await tx.query(nameActor, [tx.workspaceId, actor.id, actor.type, actor.name]);
  await tx.query(updateTask, [tx.workspaceId, before.id, below, assignedTo, dueOn, note, status, actor.id]);
  const after = await findTask(tx, before.id);
  await recordTask(tx, actor, before, after);
  return after;
}

/** Ends the task that a count has done. Throws `count_task_not_found`, `count_task_ended`. */
export async function endCountedTask(
  tx: Tx,
  actor: Actor,
  id: string,
  dryRun: boolean,
): Promise<CountTaskRow> {
  const before = await findTask(tx, id, { lock: !dryRun });
  if (before.status !== 'open')
    throw new AppError(
      'count_task_ended',
      `The count task is ${before.status} already. Count without \`task\`, or open it again.`,
    );
  return dryRun ? before : changeTask(tx, actor, before, { status: 'done', tasksMax: 0 });
}

/** Requires that one of the places that were counted is that of the task, or with `below` lies in it. Throws `validation_failed`. */
export async function requireCountedPlace(
  tx: Tx,
  { location_id: location, location_number, location_name, below }: CountTaskRow,
  places: readonly string[],
): Promise<void> {
  if (places.includes(location)) return;
  const around = below
    ? await tx.query<{ parent: string }>(parentsAround, [tx.workspaceId, [...new Set(places)]])
    : [];
  if (around.some(({ parent }) => parent === location)) return;
  const name = location_number ?? location_name ?? location;
  const message = `The count task is for ${name}${below ? ' and what lies in it' : ''}, where no line of the count is. Count without \`task\`, or name the right one.`;
  throw invalidValue('/task', message);
}

async function recordTask(
  tx: Tx,
  actor: Actor,
  before: CountTaskRow | null,
  after: CountTaskRow,
): Promise<void> {
  const was = before === null ? null : showTask(before);
  const is = showTask(after);
  if (JSON.stringify(was) === JSON.stringify(is)) return;
  const action = was === null ? 'create' : 'update';
  await recordChange(tx, {
    actor,
    action,
    subjectType: 'countTask',
    subjectKey: is.id,
    before: was,
    after: is,
  });
}

/** Callers of the same time may exceed the limit by one each. Throws `configuration_full`. */
async function requireRoom(tx: Tx, tasksMax: number): Promise<void> {
  const [counted] = await tx.query<{ present: number }>(countOpenTasks, [tx.workspaceId, tasksMax]);
  if ((counted?.present ?? 0) < tasksMax) return;
  throw new AppError('configuration_full', {
    detail: `The workspace has ${tasksMax} open count tasks, which is as many as it can have (COUNT_TASKS_MAX). End some.`,
    extensions: { limit: tasksMax },
  });
}

async function requireCounter(tx: Tx, memberId: string): Promise<void> {
  const [member] = await tx.query<{ name: string; areas: string[] }>(selectCounter, [
    tx.workspaceId,
    memberId,
  ]);
  const refuse = (message: string) => invalidValue('/assignedTo', message);
  if (member === undefined)
    throw refuse('There is no active member with this id. `GET /people` shows who there is.');
  if (!member.areas.includes('stock'))
    throw refuse(`${member.name} lacks the area "stock" and could not book the count.`);
}
