/** Finds the saved views, of those that members follow, that show some entities. */
import type { Tx } from '../../db/transaction.ts';
import { whichFit } from '../../entities/lists/which-fit.ts';
import { readFilters } from '../../entities/views/entity-filters.ts';
import { findView, type Viewer, type ViewRow } from '../../entities/views/find-view.ts';
import { AppError } from '../../errors.ts';
import { selectFollowedViews } from './inbox.sql.ts';

/** Views that the members of a workspace can follow altogether: each is compared with all that changes. */
const FOLLOWED_VIEWS_MAX = 50;

export type FollowedView = Pick<ViewRow, 'id' | 'shared' | 'owner_id' | 'settings'>;

export function readFollowedViews(tx: Tx): Promise<FollowedView[]> {
  return tx.query<FollowedView>(selectFollowedViews, [tx.workspaceId, FOLLOWED_VIEWS_MAX]);
}

/** A member is told of its own views and of shared ones. */
export function mayFollowView({ shared, owner_id }: Pick<ViewRow, 'shared' | 'owner_id'>, memberId: string) {
  return shared || owner_id === memberId;
}

/**
 * Throws `view_not_found` for a view of another list, and for one of somebody else that is not shared, also for administrators, and
 * `configuration_full`. Members that call at the same time may exceed the limit by one each.
 */
export async function requireFollowable(tx: Tx, viewer: Viewer, memberId: string, id: string): Promise<void> {
  const view = await findView(tx, viewer, id);
  const name = JSON.stringify(view.name);
  if (view.list !== 'entities')
    throw new AppError('view_not_found', `The saved view ${name} shows another list than entities.`);
  if (!mayFollowView(view, memberId))
    throw new AppError(
      'view_not_found',
      `The saved view ${name} belongs to ${JSON.stringify(view.owner_name)}. Share it before somebody else follows it.`,
    );
  const followed = await readFollowedViews(tx);
  if (followed.length < FOLLOWED_VIEWS_MAX || followed.some((one) => one.id === view.id)) return;
  throw new AppError('configuration_full', {
    detail: `The members of the workspace follow ${FOLLOWED_VIEWS_MAX} saved views, which is as many as they can follow. Follow one of these, or the parts themselves.`,
    extensions: { limit: FOLLOWED_VIEWS_MAX },
  });
}

/** Returns the views that show each entity now. A view that cannot be read any more, such as one by a deleted property, shows none. */
export async function viewsShowing(
  tx: Tx,
  views: readonly FollowedView[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly FollowedView[]>> {
  const found = new Map<string, FollowedView[]>();
  for (const view of views) {
    for (const id of await tryFit(tx, view, ids)) {
      const others = found.get(id);
      if (others === undefined) found.set(id, [view]);
      else others.push(view);
    }
  }
  return found;
}

async function tryFit(
  tx: Tx,
  { settings }: FollowedView,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  try {
    return await whichFit(tx, readFilters(settings), ids);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return new Set();
    throw error;
  }
}
