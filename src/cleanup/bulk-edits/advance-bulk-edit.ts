/**
 * Takes one step of a bulk edit: a few entities in one transaction, which also notes how far it is. A process that dies in a step has
 * changed nothing; the next worker takes the step again.
 */

import { readCallerRights } from '../../access/read-caller-rights.ts';
import type { Actor } from '../../actor.ts';
import { requireArea } from '../../areas.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { walkEntities } from '../../entities/lists/walk-entities.ts';
import type { WhereQuery } from '../../entities/lists/where-entities.ts';
import type { MoverOf } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import type { BulkEditChange } from './bulk-edit.schema.ts';
import { claimStep, insertResults, noteStep, selectChanges, selectStep } from './bulk-edits.sql.ts';
import {
  type Difference,
  type Editing,
  editEntities,
  type Item,
  type Outcome,
  PROPERTY_FIELD,
  REVISION_FIELD,
} from './edit-entities.ts';
import type { BulkEditRow } from './find-bulk-edit.ts';

export interface BulkEditor {
  db: Db;
  config: Config;
  moverOf: MoverOf;
}

export interface BulkEditRef {
  workspaceId: string;
  id: string;
}

/** Entities of one step: a writer of one of them waits for that many changes at most. */
const ENTITIES_AT_ONCE = 40;

/** The last entity that a step has reached. */
type Place = [id: string, key: string | null];

type StepRow = BulkEditRow & { place: string | null };

interface Step {
  edit: StepRow;
  items: Item[];
  /** The place at which the next step begins; null after the last. */
  next: Place | null;
}

/** Returns whether a step was taken: false if there is none, or if another worker has it. Throws `AppError` if the bulk edit cannot go on. */
export async function advanceBulkEdit(editor: BulkEditor, ref: BulkEditRef): Promise<boolean> {
  const { db, config } = editor;
  const step = await inTransaction(db, ref, (tx) => readStep(tx, ref.id), { readOnly: true, snapshot: true });
  if (step === null) return false;
  const { edit } = step;
  requireRoom(edit, step.items.length, config.BULK_EDIT_ENTITIES_MAX);
  const editing: Editing = {
    bulkEditId: edit.id,
    mover: editor.moverOf(actorOf(edit)),
    reason: edit.reason,
    limits: config,
  };
  const claim = async (tx: Tx) =>
    (await tx.query(claimStep, [tx.workspaceId, edit.id, edit.place])).length > 0;
  const outcomes = edit.dry_run
    ? await rehearse(db, ref, (tx) => editEntities(tx, editing, step.items))
    : null;
  return inTransaction(db, ref, async (tx) => {
    if (!(await claim(tx))) return false;
    await saveStep(tx, step, outcomes ?? (await editEntities(tx, editing, step.items)));
    return true;
  });
}

/** Does the work of a dry run and takes it back: it finds out what the edit would do by doing it. */
async function rehearse<T>(db: Db, ref: BulkEditRef, work: (tx: Tx) => Promise<T>): Promise<T> {
  class Rehearsed extends Error {
    readonly outcome: T;

    constructor(outcome: T) {
      super('The transaction is rolled back');
      this.outcome = outcome;
    }
  }
  try {
    return await inTransaction(db, ref, async (tx) => {
      throw new Rehearsed(await work(tx));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.outcome;
    throw error;
  }
}

function actorOf({ actor_type: type, actor_id: id, actor_name: name }: StepRow): Actor {
  return { type: type as Actor['type'], id, name };
}

function requireRoom({ changed, unchanged, refused }: StepRow, more: number, max: number): void {
  if (changed + unchanged + refused + more <= max) return;
  throw new AppError(
    'too_many_entities',
    `The filter finds more than ${max} entities. Narrow it down, and edit the others in another bulk edit.`,
  );
}

async function readStep(tx: Tx, id: string): Promise<Step | null> {
  const [edit] = await tx.query<StepRow>(selectStep, [tx.workspaceId, id]);
  if (edit === undefined) return null;
  await requireCaller(tx, edit);
  const place = edit.place === null ? null : (JSON.parse(edit.place) as Place);
  return { edit, ...(await readItems(tx, edit, place)) };
}

/** Throws `member_ended`, `api_key_revoked` or `area_missing` when the caller may not edit entities any more. */
async function requireCaller(tx: Tx, { actor_id: id, actor_name: name }: StepRow): Promise<void> {
  const caller = (await readCallerRights(tx, [id])).get(id);
  if (caller === undefined) return;
  if (caller.ended !== null)
    throw new AppError(
      caller.ended,
      caller.ended === 'member_ended'
        ? `The bulk edit was started by ${JSON.stringify(name)}, who is not a member any more. Start it anew for what is left.`
        : `The bulk edit was started with the key ${JSON.stringify(name)}, which does not work any more. Start it anew for what is left.`,
    );
  requireArea(caller, 'engineering');
}

async function readItems(tx: Tx, edit: StepRow, place: Place | null): Promise<Omit<Step, 'edit'>> {
  const limit = ENTITIES_AT_ONCE;
  const { source_id: sourceId, source_use: use, change } = edit;
  if (sourceId !== null) {
    const rows = await tx.query<{ entity_id: string; changes: Difference[] }>(selectChanges, [
      tx.workspaceId,
      sourceId,
      place?.[0] ?? null,
      limit,
    ]);
    const items = rows.map(({ entity_id: entityId, changes }) => itemOf(entityId, changes, use === 'undo'));
    const last = rows.at(-1);
    return { items, next: last === undefined || rows.length < limit ? null : [last.entity_id, null] };
  }
  const { ids, ...query } = edit.filter as { ids?: string[] } & Pick<WhereQuery, 'archived'>;
  if (ids !== undefined) {
    const after = place?.[0] ?? '';
    const left = ids.filter((one) => one > after);
    const last = left[limit - 1];
    const items = left.slice(0, limit).map((entityId) => ({ entityId, change, expects: [] }));
    return { items, next: last === undefined || left.length === limit ? null : [last, null] };
  }
  const page = await walkEntities(tx, { ...query, sort: 'created', order: 'asc', limit }, place);
  // A filter by state does not find an entity that is released before its row is locked.
  const items = page.entities.map(({ id, state, category }) => ({
    entityId: id,
    change,
    expects: [
      { field: 'state', value: state },
      { field: 'category', value: category },
    ],
  }));
  return { items, next: page.after };
}

/** The change that makes the differences again, or takes them back. Each value must be as it was found then. */
function itemOf(entityId: string, differences: readonly Difference[], isUndo: boolean): Item {
  const sides = differences.map(({ field, from, to }) => ({
    field,
    before: isUndo ? to : from,
    after: isUndo ? from : to,
  }));
  const afterOf = (name: string) => sides.find(({ field }) => field === name)?.after as string | undefined;
  const change: BulkEditChange = {
    properties: Object.fromEntries(
      sides.flatMap(({ field, after }) =>
        field.startsWith(PROPERTY_FIELD) ? [[field.slice(PROPERTY_FIELD.length), after]] : [],
      ),
    ),
    category: afterOf('category'),
    state: afterOf('state'),
  };
  const opened = differences.some(({ field }) => field === REVISION_FIELD);
  const changesState = change.state !== undefined;
  return {
    entityId,
    change,
    expects: sides.flatMap(({ field, before }) =>
      // A revision begins in another state than the one that the entity was found in.
      field === 'state' && opened && !isUndo ? [] : [{ field, value: before }],
    ),
    opensRevision: isUndo ? (changesState ? undefined : false) : opened,
  };
}

async function saveStep(tx: Tx, { edit, next }: Step, outcomes: readonly Outcome[]): Promise<void> {
  const told = outcomes.filter(({ result }) => result !== 'unchanged');
  const count = (result: Outcome['result']) => outcomes.filter((one) => one.result === result).length;
  await tx.query(insertResults, [
    tx.workspaceId,
    edit.id,
    told.map(({ entityId }) => entityId),
    told.map(({ result }) => result),
    told.map(({ changes }) => JSON.stringify(changes)),
    told.map(({ code }) => code),
    told.map(({ message }) => message),
  ]);
  await tx.query(noteStep, [
    tx.workspaceId,
    edit.id,
    next === null ? edit.place : JSON.stringify(next),
    count('changed'),
    count('unchanged'),
    count('refused'),
    next === null,
  ]);
}
