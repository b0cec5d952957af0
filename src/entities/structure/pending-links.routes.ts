/** Links that wait for a parent that is not there: who waits for what, and taking one back. */
import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { decodeCursor, listOf, pageOf } from '../../http/list.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { lockStructure } from '../links/lock-structure.ts';
import { resolveEntityId } from '../resolve-entity.ts';
import {
  PendingLink,
  PendingLinkParams,
  PendingLinksQuery,
  PendingLinksRemoval,
  RemovedPendingLinks,
} from './pending-link.schema.ts';
import {
  selectPendingLink,
  selectPendingLinks,
  selectPendingLinksOfChild,
  selectPendingLinksOfParent,
} from './pending-links.sql.ts';
import { removePendingLink, removePendingLinks } from './remove-pending-link.ts';
import { longPendingLinkColumns, type StoredPendingLink, showPendingLink } from './show-pending-link.ts';

const path = '/api/wid/{slug}/pending-links';
const tag = 'Structure';
const FIRST = '00000000-0000-0000-0000-000000000000';
/** Parent GUID and child id. A GUID need not be of a version that RFC 9562 knows. */
const After = z.tuple([z.guid(), z.uuid()]);

const listPendingLinks = defineRoute({
  method: 'get',
  path,
  operationId: 'listPendingLinks',
  tag,
  summary: 'List pending links',
  description:
    'Elements of batches have named these parents, but no entity has such a GUID yet (`parent_pending`). In order of the parent GUIDs and child ids. A link whose parent was written by a running batch is listed until that batch creates it.',
  access: 'read',
  transaction: 'read',
  query: PendingLinksQuery,
  answers: { 200: { description: 'A page of links.', schema: listOf(PendingLink) } },
  errors: ['entity_not_found'],
  handle: async ({ query }, tx) => {
    const child = query.child === undefined ? null : await resolveEntityId(tx, query.child);
    const { list, sql, params } = pageWanted(tx, query, child);
    const page = await readPage<StoredPendingLink>(tx, sql, params, {
      limit: query.limit,
      long: longPendingLinkColumns,
    });
    const body = pageOf(list, page, (row) => [row.parent_guid, row.child_id], showPendingLink);
    return { status: 200, body };
  },
});

/** The statement of a page, by what the list is narrowed by. `child` is an id. */
function pageWanted(
  tx: Tx,
  { parentGuid: parent, limit, cursor }: Pick<PendingLinksQuery, 'parentGuid' | 'limit' | 'cursor'>,
  child: string | null,
): { list: string; sql: string; params: unknown[] } {
  const list = `pending-links ${parent ?? 'all'} ${child ?? 'all'}`;
  const after = decodeCursor(list, cursor, After);
  const [afterParent, afterChild] = after ?? [FIRST, FIRST];
  const which = after === null ? 'first' : 'further';
  const common = [tx.workspaceId, limit + 1];
  if (child === null) {
    return parent === undefined
      ? { list, sql: selectPendingLinks[which], params: [...common, afterParent, afterChild] }
      : { list, sql: selectPendingLinksOfParent[which], params: [...common, parent, afterChild] };
  }
  return parent === undefined
    ? { list, sql: selectPendingLinksOfChild[which], params: [...common, child, afterParent] }
    : { list, sql: selectPendingLink, params: [tx.workspaceId, parent, child] };
}

const deletePendingLink = defineRoute({
  method: 'delete',
  path: `${path}/{parentGuid}/{childId}`,
  operationId: 'removePendingLink',
  tag,
  summary: 'Remove a pending link',
  description:
    'The link is not created when the parent arrives, and can close no cycle any more. Neither end changes; the audit trail records the link. A later batch that asks for it adds it again.',
  access: 'engineering',
  transaction: 'write',
  params: PendingLinkParams,
  answers: { 204: { description: 'The pending link was removed.' } },
  errors: ['entity_not_found', 'pending_link_not_found'],
  handle: async (call, tx) => {
    const { parentGuid, childId } = call.params;
    await removePendingLink(tx, call.actor, { parentGuid, child: childId });
    return { status: 204 };
  },
});

/** Links that one call removes, each with its entry in the audit trail. */
const REMOVED_MAX = 500;

const deletePendingLinks = defineRoute({
  method: 'delete',
  path,
  operationId: 'removePendingLinks',
  tag,
  summary: 'Remove several links that wait for their parent',
  description: `Removes links that wait for one GUID, links of one child, or with \`all=true\` every link that waits, up to ${REMOVED_MAX} in a call: repeat it while \`more\` is true. Otherwise as for a single one.`,
  access: 'engineering',
  transaction: 'write',
  query: PendingLinksRemoval,
  answers: { 200: { description: 'How many were removed.', schema: RemovedPendingLinks } },
  errors: ['entity_not_found'],
  handle: async ({ actor, query }, tx) => {
    const child = query.child === undefined ? null : await resolveEntityId(tx, query.child);
    await lockStructure(tx);
    const { sql, params } = pageWanted(
      tx,
      { parentGuid: query.parentGuid, limit: REMOVED_MAX, cursor: undefined },
      child,
    );
    const bounds = { limit: REMOVED_MAX, long: longPendingLinkColumns };
    const { rows, more } = await readPage<StoredPendingLink>(tx, sql, params, bounds);
    await removePendingLinks(tx, actor, rows);
    return { status: 200, body: { removed: rows.length, more } };
  },
});

export const pendingLinkRoutes: AnyRoute[] = [listPendingLinks, deletePendingLinks, deletePendingLink];
