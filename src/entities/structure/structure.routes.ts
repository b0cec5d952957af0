/** The structure of an entity: what it uses, where it is used, its tree, and editing it by hand. */
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { requireMatch } from '../../http/entity-tag.ts';
import { inStream } from '../../http/in-stream.ts';
import { listOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../../http/route.ts';
import { EntityParams } from '../entities.schema.ts';
import { selectUse } from '../links/entity-links.sql.ts';
import { lineKey, linesOf } from '../links/link-line.ts';
import { type EntityRef, requireEntityIds, resolveEntityId } from '../resolve-entity.ts';
import { configuredUses, newestReleased, releasedParents } from './configured-uses.ts';
import { noSuchUse, removeUse, setUse } from './edit-use.ts';
import { wantedUse } from './given-lines.ts';
import { LineQuery } from './line.schema.ts';
import { linkPage } from './link-page.ts';
import { planTree, type WantedTree } from './plan-tree.ts';
import { planWhereUsed } from './plan-where-used.ts';
import { readTree } from './read-tree.ts';
import { readWhereUsed } from './read-where-used.ts';
import { type StoredUse, showUse } from './show-use.ts';
import { streamItems } from './stream-items.ts';
import {
  Assemblies,
  CheckedUse,
  ParentsQuery,
  Tree,
  TreeQuery,
  Use,
  UseParams,
  UseQuantity,
  UsesQuery,
  WhereUsedQuery,
} from './structure.schema.ts';
import { unitFaultsOf } from './unit-faults.ts';
import { selectUses, selectWhereUsed } from './uses.sql.ts';

const member = '/api/wid/{slug}/entities/{id}';
const tag = 'Structure';

const listUses = defineRoute({
  method: 'get',
  path: `${member}/uses`,
  operationId: 'listUses',
  tag,
  summary: 'List the children of an entity',
  description:
    'One level of the current structure, in order of the child ids; with `configuration` of the newest released revision.',
  access: 'read',
  transaction: 'read',
  isGlance: ({ configuration }) => configuration === 'current',
  params: EntityParams,
  query: UsesQuery,
  answers: { 200: { description: 'A page of children.', schema: listOf(Use) } },
  errors: ['entity_not_found', 'revision_not_found'],
  handle: async ({ params, query }, tx) => {
    const { configuration } = query;
    if (configuration === 'current')
      return { status: 200, body: await linkPage(tx, { list: 'uses', sql: selectUses }, params.id, query) };
    const id = await resolveEntityId(tx, params.id);
    const n = await newestReleased(tx, id);
    return { status: 200, body: await configuredUses(tx, { id, n, configuration }, query) };
  },
});

const listWhereUsed = defineRoute({
  method: 'get',
  path: `${member}/where-used`,
  operationId: 'listWhereUsed',
  tag,
  summary: 'List the parents of an entity',
  description:
    'One level of the current structure, in order of the parent ids. Archived parents are left out unless `archived` says otherwise. With `revisions` the newest released revisions of assemblies count, each with its revision, also where a newer draft no longer contains the entity.',
  access: 'read',
  transaction: 'read',
  params: EntityParams,
  query: ParentsQuery,
  answers: { 200: { description: 'A page of parents.', schema: listOf(Use) } },
  errors: ['entity_not_found'],
  handle: async ({ params, query }, tx) => {
    if (query.revisions !== 'current')
      return { status: 200, body: await releasedParents(tx, await resolveEntityId(tx, params.id), query) };
    const links = { list: 'where-used', sql: selectWhereUsed, more: [query.archived] };
    return { status: 200, body: await linkPage(tx, links, params.id, query) };
  },
});

const getAssemblies = defineRoute({
  method: 'get',
  path: `${member}/where-used/all`,
  operationId: 'getWhereUsedAll',
  tag,
  summary: 'Find all assemblies that contain an entity',
  description:
    'Streams the assemblies above it at all levels of the current structure, each once, nearest first, with the total quantity of the entity in one of each. If too many links or levels lead up, the call is refused as `tree_too_large`, which names the limit. Quantities along a path are multiplied to 60 significant digits, rounded up, of which 40 count; if the result has more than 24 digits before the point, the response is `quantity_out_of_range`.',
  access: 'read',
  transaction: 'none',
  readsMuch: true,
  params: EntityParams,
  query: WhereUsedQuery,
  answers: { 200: { description: 'The assemblies.', schema: Assemblies } },
  errors: ['entity_not_found', 'tree_too_large', 'quantity_out_of_range', 'too_many_streams'],
  handle: async (call) => {
    await inStream(call, () => sendAssemblies(call, call.params.id, call.query));
    return null;
  },
});

async function sendAssemblies(call: WorkspaceCall, of: EntityRef, query: WhereUsedQuery): Promise<void> {
  const { TREE_ITEMS_MAX, TREE_DEPTH_MAX } = call.ctx.config;
  const wanted = {
    onlyTop: query.top === 'true',
    linksMax: Math.min(query.linksMax ?? TREE_ITEMS_MAX, TREE_ITEMS_MAX),
    levelsMax: TREE_DEPTH_MAX,
    revisions: query.revisions,
  };
  const { plan, read } = readsOf(call);
  const assemblies = await plan((tx) => planWhereUsed(tx, of, wanted));
  await streamItems(call, readWhereUsed(read, assemblies, query, new Slices(call.gone)));
}

/**
 * A walk over the structure is planned in one transaction, which sees one moment, and described in others, since it takes as long as
 * its reader likes.
 */
function readsOf({ ctx, workspace, gone }: WorkspaceCall) {
  const begin =
    (snapshot: boolean) =>
    <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      inTransaction(ctx.db, { workspaceId: workspace.id }, work, { readOnly: true, snapshot, gone });
  return { plan: begin(true), read: begin(false) };
}

const getUse = defineRoute({
  method: 'get',
  path: `${member}/uses/{childId}`,
  operationId: 'getUse',
  tag,
  summary: 'Read a child and its line',
  description:
    "Returns the child's line in the current structure, or its `lines` where it stands in several. `warnings` name units that the child does not know. The `ETag` is the parent’s: use it for `If-Match` of a change or removal.",
  access: 'read',
  transaction: 'read',
  params: UseParams,
  query: LineQuery,
  answers: { 200: { description: 'The child.', schema: CheckedUse } },
  errors: ['entity_not_found', 'use_not_found'],
  handle: async ({ params: { id, childId }, query: { line } }, tx) => {
    const [parent, child] = (await requireEntityIds(tx, [id, childId])) as [string, string];
    const [row] = await tx.query<StoredUse & { parent_version: number }>(selectUse, [
      tx.workspaceId,
      parent,
      child,
    ]);
    if (row === undefined) throw noSuchUse(parent, child, line);
    const body = await checkedUse(tx, lineOf(row, parent, line));
    return { status: 200, body, etag: String(row.parent_version) };
  },
});

async function checkedUse(tx: Tx, row: StoredUse): Promise<CheckedUse> {
  return { ...showUse(row), warnings: await unitFaultsOf(tx, row.id, row) };
}

/** Returns the row, with only one line of the child if the request names one. Throws `use_not_found`. */
function lineOf(row: StoredUse, parentId: string, line: string | undefined): StoredUse {
  if (line === undefined) return row;
  const found = linesOf(row).find((one) => lineKey(one) === line);
  if (found === undefined) throw noSuchUse(parentId, row.id, line);
  return { ...row, quantity: String(found.quantity), line: found };
}

const putUse = defineRoute({
  method: 'put',
  path: `${member}/uses/{childId}`,
  operationId: 'setUse',
  tag,
  summary: 'Add a child, or change its quantity and its line',
  description:
    'A released parent gets a new revision first, because the structure of a released revision never changes. Repeating the call changes nothing. Omitted fields (find number, reference designators, unit, note) stay. `warnings` of the answer name units that the child does not know. `If-Match` and the `ETag` of the response are the parent’s. A child can stand in several lines: `?line=` adds or changes one of them, `lines` in the body sets all. A body without either sets the whole link: if `quantity` is not the sum of its lines, one line remains.',
  access: 'engineering',
  transaction: 'write',
  params: UseParams,
  query: LineQuery,
  body: UseQuantity,
  answers: {
    200: { description: 'The existing link was changed.', schema: CheckedUse },
    201: { description: 'The child was added.', schema: CheckedUse },
  },
  errors: ['entity_not_found', 'entity_archived', 'cycle', 'quantity_out_of_range'],
  handle: async (call, tx) => {
    const { line } = call.query;
    const { parentId, childId, version, result } = await setUse(tx, call.actor, {
      parent: call.params.id,
      child: call.params.childId,
      ...wantedUse(call.body, line),
      check: (parent, entityId) => {
        requireMatch(call, String(parent.version));
        requireAsRead(UseQuantity, call.body, { entityId });
      },
    });
    const [row] = await tx.query<StoredUse>(selectUse, [tx.workspaceId, parentId, childId]);
    const body = await checkedUse(tx, row as StoredUse);
    return { status: result === 'created' ? 201 : 200, body, etag: String(version) };
  },
});

const deleteUse = defineRoute({
  method: 'delete',
  path: `${member}/uses/{childId}`,
  operationId: 'removeUse',
  tag,
  summary: 'Remove a child',
  description:
    'Removes the child with all its lines, or with `?line=` one of them. A released parent gets a new revision first. `If-Match` is the parent’s `ETag`.',
  access: 'engineering',
  transaction: 'write',
  params: UseParams,
  query: LineQuery,
  answers: { 204: { description: 'The child was removed.' } },
  errors: ['entity_not_found', 'use_not_found'],
  handle: async (call, tx) => {
    await removeUse(tx, call.actor, {
      parent: call.params.id,
      child: call.params.childId,
      at: call.query.line,
      check: (parent) => requireMatch(call, String(parent.version)),
    });
    return { status: 204 };
  },
});

const getTree = defineRoute({
  method: 'get',
  path: `${member}/tree`,
  operationId: 'getTree',
  tag,
  summary: 'Explode the tree below an entity',
  description:
    'Streams all occurrences in pre-order, siblings in order of their ids. A tree with more occurrences or levels than the limit is refused as `tree_too_large`, which names the limit: request fewer levels with `depth`, or explode its sub-assemblies. With `configuration` the root is its newest released revision, and each child has the revision with which its parent was released, or its newest released one. If released revisions contain each other, the call is refused as `cycle`.',
  access: 'read',
  transaction: 'none',
  readsMuch: true,
  params: EntityParams,
  query: TreeQuery,
  answers: { 200: { description: 'The tree.', schema: Tree } },
  errors: ['entity_not_found', 'revision_not_found', 'cycle', 'tree_too_large', 'too_many_streams'],
  handle: async (call) => {
    const { depth = null, configuration } = call.query;
    await inStream(call, () => sendTree(call, { root: call.params.id, depth, configuration }));
    return null;
  },
});

async function sendTree(call: WorkspaceCall, wanted: WantedTree): Promise<void> {
  const { config } = call.ctx;
  const limits = { itemsMax: config.TREE_ITEMS_MAX, depthMax: config.TREE_DEPTH_MAX };
  const { plan, read } = readsOf(call);
  const tree = await plan((tx) => planTree(tx, wanted, limits));
  await streamItems(call, readTree(read, tree, new Slices(call.gone)));
}

export const structureRoutes: AnyRoute[] = [
  listUses,
  listWhereUsed,
  getAssemblies,
  getTree,
  getUse,
  putUse,
  deleteUse,
];
