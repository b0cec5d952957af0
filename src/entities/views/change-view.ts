/** Saves, replaces and deletes views. The audit trail has the changes of shared ones. */
import { isDeepStrictEqual } from 'node:util';
import { mayDo } from '../../areas.ts';
import { recordChange } from '../../audit/record-change.ts';
import { lockConfiguration } from '../../configuration/lock-configuration.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { checkSettings } from './entity-filters.ts';
import { isOf, showView, type Viewer, type ViewRow } from './find-view.ts';
import type { NewView, ViewReplacement } from './view.schema.ts';
import { countViews, deleteView, insertView, updateView } from './views.sql.ts';

/** The configuration lock keeps two callers from both finding the last free place. Throws `configuration_full`. */
export async function saveView(tx: Tx, viewer: Viewer, view: NewView, viewsMax: number): Promise<ViewRow> {
  await lockConfiguration(tx);
  const [counted] = await tx.query<{ present: number }>(countViews, [tx.workspaceId]);
  if ((counted?.present ?? 0) >= viewsMax) {
    throw new AppError('configuration_full', {
      detail: `The workspace has ${viewsMax} saved views, which is as many as it can have. Delete some.`,
      extensions: { limit: viewsMax },
    });
  }
  if (view.list === 'entities') await checkSettings(tx, view);
  const { actor } = viewer;
  const [row] = await tx.query<ViewRow>(insertView, [
    tx.workspaceId,
    newId(),
    view.name,
    view.list,
    view.shared,
    settingsOf(view),
    actor.id,
    actor.name,
  ]);
  await record(tx, viewer, 'create', null, row as ViewRow);
  return row as ViewRow;
}

/** A view that is the same changes nothing. Throws `area_missing` for a view of somebody else. */
export async function replaceView(
  tx: Tx,
  viewer: Viewer,
  before: ViewRow,
  view: ViewReplacement,
): Promise<ViewRow> {
  requireOwn(viewer, before);
  if (before.list === 'entities') await checkSettings(tx, view);
  const settings = settingsOf(view);
  const isSame =
    before.name === view.name &&
    before.shared === view.shared &&
    isDeepStrictEqual(before.settings, JSON.parse(settings));
  if (isSame) return before;
  const [after] = await tx.query<ViewRow>(updateView, [
    tx.workspaceId,
    before.id,
    view.name,
    view.shared,
    settings,
  ]);
  await record(tx, viewer, 'update', before, after as ViewRow);
  return after as ViewRow;
}

/** Throws `area_missing` for a view of somebody else. */
export async function removeView(tx: Tx, viewer: Viewer, row: ViewRow): Promise<void> {
  requireOwn(viewer, row);
  await tx.query(deleteView, [tx.workspaceId, row.id]);
  await record(tx, viewer, 'delete', row, null);
}

function requireOwn(viewer: Viewer, row: ViewRow): void {
  if (isOf(viewer, row) || mayDo(viewer, 'admin')) return;
  throw new AppError('area_missing', {
    detail: `Only its owner and administrators can change or delete the view ${JSON.stringify(row.name)}. Save one of your own.`,
    extensions: { needed: ['admin'], areas: [...viewer.areas] },
  });
}

function settingsOf({ filters, sort, order, columns }: NewView | ViewReplacement): string {
  return JSON.stringify({ filters, sort, order, columns });
}

async function record(
  tx: Tx,
  viewer: Viewer,
  action: 'create' | 'update' | 'delete',
  before: ViewRow | null,
  after: ViewRow | null,
): Promise<void> {
  if (before?.shared !== true && after?.shared !== true) return;
  const shown = (row: ViewRow | null) => row && showView(row, viewer);
  const subjectKey = (after ?? before)?.id ?? '';
  await recordChange(tx, {
    actor: viewer.actor,
    action,
    subjectType: 'savedView',
    subjectKey,
    before: shown(before),
    after: shown(after),
  });
}
