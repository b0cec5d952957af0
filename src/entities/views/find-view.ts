/** Finds a saved view and shows it to a caller. */

import type { Actor } from '../../actor.ts';
import { type Area, mayDo } from '../../areas.ts';
import { rfc3339 } from '../../db/time.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import type { SavedView } from './view.schema.ts';
import { lockView, selectView } from './views.sql.ts';

export interface ViewRow {
  id: string;
  name: string;
  list: SavedView['list'];
  shared: boolean;
  settings: Pick<SavedView, 'filters' | 'sort' | 'order' | 'columns'>;
  owner_id: string;
  owner_name: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** Somebody who looks at views: administrators see those of everybody. */
export interface Viewer {
  actor: Actor;
  areas: readonly Area[];
}

/** Finds a view that the viewer may see; `viewer` is null for the service itself. Throws `view_not_found`. */
export async function findView(
  tx: Tx,
  viewer: Viewer | null,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<ViewRow> {
  const [row] = await tx.query<ViewRow>(lock ? lockView : selectView, [tx.workspaceId, id]);
  const isSeen =
    row !== undefined && (viewer === null || row.shared || isOf(viewer, row) || mayDo(viewer, 'admin'));
  if (isSeen) return row;
  throw new AppError(
    'view_not_found',
    'There is no saved view with this id, or its owner does not share it.',
  );
}

export function isOf({ actor }: Viewer, row: ViewRow): boolean {
  return row.owner_id === actor.id;
}

export function showView(row: ViewRow, viewer: Viewer): SavedView {
  return {
    id: row.id,
    name: row.name,
    list: row.list,
    shared: row.shared,
    ...row.settings,
    owner: { id: row.owner_id, name: row.owner_name },
    mine: isOf(viewer, row),
    createdAt: rfc3339(row.created_at),
    updatedAt: rfc3339(row.updated_at),
  };
}

export const viewTag = (row: ViewRow) => `${row.id.slice(-12)}-${row.version}`;
