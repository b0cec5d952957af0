/** `/api/workspaces`: the operator creates and lists workspaces, and creates admin keys for them. */

import { z } from 'zod';
import { OPERATOR } from '../actor.ts';
import { readPage } from '../db/read-page.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../http/list.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { createAdminKey } from './create-admin-key.ts';
import { createWorkspace, requireOwnSlug } from './create-workspace.ts';
import {
  CreatedAdminKey,
  CreatedWorkspace,
  NewAdminKey,
  NewWorkspace,
  WorkspaceItem,
} from './workspace.schema.ts';

const collection = '/api/workspaces';
const tag = 'Workspaces';

const postWorkspace = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createWorkspace',
  tag,
  summary: 'Create a workspace',
  description:
    'Creates it with the default configuration and a first API key, which is shown only in this response.',
  access: 'operator',
  transaction: 'write',
  body: NewWorkspace,
  answers: { 201: { description: 'The new workspace and its first key.', schema: CreatedWorkspace } },
  errors: ['slug_taken'],
  handle: async ({ ctx, body }, tx) => {
    requireOwnSlug(ctx.config, body.slug);
    return { status: 201, body: await createWorkspace(tx, OPERATOR, body) };
  },
});

const postAdminKey = defineRoute({
  method: 'post',
  path: '/api/workspaces/{workspace}/api-keys',
  operationId: 'createAdminKey',
  tag,
  summary: 'Create an admin key for a workspace',
  description:
    'For a workspace that nobody can configure any more. The key has no end and is shown only in this answer; the audit trail of the workspace names the operator.',
  access: 'operator',
  transaction: 'write',
  params: z.object({ workspace: z.string().meta({ description: 'The slug.' }) }),
  body: NewAdminKey,
  answers: { 201: { description: 'The key was created.', schema: CreatedAdminKey } },
  errors: ['not_found', 'workspace_moving', 'workspace_gone'],
  handle: async ({ params, body }, tx) => ({
    status: 201,
    body: await createAdminKey(tx, params.workspace, body),
  }),
});

const listWorkspaces = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listWorkspaces',
  tag,
  summary: 'List workspaces',
  description: 'In order of creation.',
  access: 'operator',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of workspaces.', schema: listOf(WorkspaceItem) } },
  handle: async ({ query }, tx) => {
    const after = decodeCursor('workspaces', query.cursor, z.uuid());
    const page = await readPage<WorkspaceItem>(tx, selectWorkspaces, [after, query.limit + 1], {
      limit: query.limit,
      long: ['name'],
    });
    return { status: 200, body: pageOf('workspaces', page, (row) => row.id, showWorkspace) };
  },
});

/** $1 id to go on behind or null, $2 rows. */
const selectWorkspaces =
  'select id, slug, name from workspace where ($1::uuid is null or id > $1) order by id limit $2';

function showWorkspace({ id, slug, name }: WorkspaceItem): WorkspaceItem {
  return { id, slug, name };
}

export const workspaceRoutes: AnyRoute[] = [postWorkspace, postAdminKey, listWorkspaces];
