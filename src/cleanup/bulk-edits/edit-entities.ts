/** Edits entities of a bulk edit one by one, each behind a savepoint: one that is refused changes nothing and keeps no other. */
import { recordChange } from '../../audit/record-change.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { PropertyValue } from '../../configuration/properties/property-value.ts';
import type { Tx } from '../../db/transaction.ts';
import type { PropertyLimits } from '../../entities/check-properties.ts';
import { moveToCategory } from '../../entities/move-to-category.ts';
import { patchEntity } from '../../entities/patch-entity.ts';
import { revisionLabel } from '../../entities/revision-label.ts';
import { type Mover, transitionEntity } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { forgetGathered, markGathered } from '../../stock/events/gather-changes.ts';
import { lockParentRows } from '../replaced-parents.ts';
import type { BulkEditChange, BulkEditResult } from './bulk-edit.schema.ts';
import { selectBefore, selectGuids } from './bulk-edits.sql.ts';

export type Difference = BulkEditResult['changes'][number];

/** An entity to edit. */
export interface Item {
  entityId: string;
  change: BulkEditChange;
  /** Values that it must have, or else it was changed since. */
  expects: readonly { field: string; value: PropertyValue | null }[];
  /** Whether the edit opens a revision; undefined where both are expected. */
  opensRevision?: boolean | undefined;
}

export interface Outcome {
  entityId: string;
  result: BulkEditResult['result'] | 'unchanged';
  changes: Difference[];
  code: string | null;
  message: string | null;
}

export interface Editing {
  bulkEditId: string;
  mover: Mover;
  reason: string | null;
  limits: PropertyLimits;
}

interface Before {
  id: string;
  category: string;
  state: string;
  revision_number: number;
  properties: Record<string, PropertyValue>;
}

/** Before the key of a property in the name of a field. */
export const PROPERTY_FIELD = 'properties.';
/** The field of the revision that an edit of a released entity opens. */
export const REVISION_FIELD = 'revision';

/** Takes the configuration lock and then the rows of the entities, in the order in which a sync takes them. */
export async function editEntities(tx: Tx, editing: Editing, items: readonly Item[]): Promise<Outcome[]> {
  const configuration = await configurationForWriting(tx);
  const ids = items.map(({ entityId }) => entityId);
  const guids = await tx.query<{ id: string; guid: string | null }>(selectGuids, [tx.workspaceId, ids]);
  await lockParentRows(tx, guids);
  const rows = await tx.query<Before>(selectBefore, [tx.workspaceId, ids]);
  const before = new Map(rows.map((row) => [row.id, row]));
  const slices = new Slices(tx.gone);
  const outcomes: Outcome[] = [];
  for (const item of items) {
    if (slices.areDue) await slices.next();
    const row = before.get(item.entityId);
    if (row !== undefined) outcomes.push(await editOne(tx, editing, { item, row, configuration }));
  }
  tx.em.clear();
  return outcomes;
}

async function editOne(
  tx: Tx,
  editing: Editing,
  one: { item: Item; row: Before; configuration: WorkspaceConfiguration },
): Promise<Outcome> {
  const { entityId } = one.item;
  const mark = markGathered(tx);
  await tx.query('savepoint one');
  try {
    requireEditable(one);
    const changes = await change(tx, editing, one.item, one.row);
    requireRevisionAsExpected(one.item, changes);
    await tx.query('release savepoint one');
    return {
      entityId,
      result: changes.length > 0 ? 'changed' : 'unchanged',
      changes,
      code: null,
      message: null,
    };
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof Refusal)) throw error;
    await tx.query('rollback to savepoint one');
    // The identity map knows rows as they were written; they are read again.
    tx.em.clear();
    forgetGathered(tx, mark);
    return { entityId, result: 'refused', changes: [], code: error.code, message: error.message };
  }
}

/** A reason that only bulk edits have. */
class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

function requireEditable({
  item,
  row,
  configuration,
}: {
  item: Item;
  row: Before;
  configuration: WorkspaceConfiguration;
}): void {
  const category = configuration.categories.get(row.category);
  if (category !== undefined && category.behaviour !== 'none')
    throw new Refusal(
      'not_bulk_editable',
      `Entities of category "${category.name}" are changed one by one: orders, lines and requirements have rules of their own.`,
    );
  const changed = item.expects.filter(({ field, value }) => fieldOf(row, field) !== value);
  if (changed.length > 0)
    throw new Refusal(
      'changed_since',
      `${changed.map(({ field }) => field).join(', ')} ${changed.length === 1 ? 'has' : 'have'} changed since.`,
    );
}

/** An entity that was released since the dry run, or since the edit that is undone, gets no revision that nobody has seen. */
function requireRevisionAsExpected({ opensRevision }: Item, changes: readonly Difference[]): void {
  const opens = changes.some(({ field }) => field === REVISION_FIELD);
  if (opensRevision === undefined || opens === opensRevision || changes.length === 0) return;
  throw new Refusal(
    'changed_since',
    opens
      ? 'It was released since: the change would open a revision. Make another bulk edit.'
      : 'It is not released any more. Make another bulk edit.',
  );
}

function fieldOf(row: Before, field: string): PropertyValue | null {
  if (field === REVISION_FIELD) return revisionLabel(row.revision_number);
  if (field === 'category' || field === 'state') return row[field];
  const key = field.slice(PROPERTY_FIELD.length);
  return Object.hasOwn(row.properties, key) ? (row.properties[key] as PropertyValue) : null;
}

/** Returns the differences; none if the entity is as wanted. */
async function change(tx: Tx, editing: Editing, item: Item, row: Before): Promise<Difference[]> {
  const { bulkEditId, mover, reason, limits } = editing;
  const { category, state } = item.change;
  const differences: Difference[] = [];
  // The state as it is now: a change of a released entity opens a revision in the initial state.
  let present = row.state;
  let revision = row.revision_number;
  if (category !== undefined && category !== row.category) {
    const moved = await moveToCategory(tx, mover.actor, row.id, category);
    ({ state: present, revisionNumber: revision } = moved);
    differences.push({ field: 'category', from: row.category, to: category });
  }
  const properties = valuesFor(item.change, row);
  if (Object.keys(properties).length > 0) {
    const patched = await patchEntity(tx, mover.actor, row.id, { properties }, { limits });
    ({ state: present, revisionNumber: revision } = patched.row);
    for (const { property, from, to } of patched.changes)
      differences.push({ field: `${PROPERTY_FIELD}${property}`, from, to });
  }
  if (revision !== row.revision_number)
    differences.push({
      field: REVISION_FIELD,
      from: revisionLabel(row.revision_number),
      to: revisionLabel(revision),
    });
  if (state !== undefined && state !== present) {
    const note = `Bulk edit ${bulkEditId}${reason === null ? '' : `: ${reason}`}`;
    await transitionEntity(tx, mover, { entity: row.id, toState: state, note });
    differences.push({ field: 'state', from: present, to: state });
  }
  if (differences.length > 0) await audit(tx, editing, row.id, differences);
  return differences;
}

/** The values to set; a replacement gives one only to entities that have the text. */
function valuesFor({ properties = {}, replace = {} }: BulkEditChange, row: Before): Record<string, unknown> {
  const replaced = Object.entries(replace).flatMap(([key, { find, with: text }]) => {
    const value = fieldOf(row, `${PROPERTY_FIELD}${key}`);
    if (typeof value !== 'string' || !value.includes(find)) return [];
    const after = value.replaceAll(find, () => text).trim();
    return [[key, after === '' ? null : after]];
  });
  return Object.fromEntries([...Object.entries(properties), ...replaced]);
}

/** The audit trail of the entity names the bulk edit. */
function audit(tx: Tx, editing: Editing, id: string, differences: readonly Difference[]): Promise<void> {
  const side = (at: 'from' | 'to') => Object.fromEntries(differences.map((one) => [one.field, one[at]]));
  const { bulkEditId: bulkEdit, reason } = editing;
  return recordChange(tx, {
    actor: editing.mover.actor,
    action: 'update',
    subjectType: 'entity',
    subjectKey: id,
    before: side('from'),
    after: { ...side('to'), bulkEdit, ...(reason === null ? {} : { reason }) },
  });
}
