/** `/api/workspaces`: the operator's door to making and listing workspaces. */
import { z } from 'zod';
import { OPERATOR } from '../access/actor.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../http/list.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { createWorkspace } from './create-workspace.ts';
import { WorkspaceRow } from './workspace.entity.ts';
import { CreatedWorkspace, NewWorkspace, WorkspaceItem } from './workspace.schema.ts';

const collection = '/api/workspaces';
const tag = 'Workspaces';

const postWorkspace = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createWorkspace',
  tag,
  summary: 'Create a workspace',
  description: 'With the default configuration and a first API key, which is shown only in this answer.',
  access: 'operator',
  transaction: 'write',
  body: NewWorkspace,
  answers: { 201: { description: 'The new workspace and its first key.', schema: CreatedWorkspace } },
  errors: ['slug_taken'],
  handle: async ({ body }, tx) => ({ status: 201, body: await createWorkspace(tx, OPERATOR, body) }),
});

const listWorkspaces = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listWorkspaces',
  tag,
  summary: 'List workspaces',
  description: 'In the order in which they were made.',
  access: 'operator',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of workspaces.', schema: listOf(WorkspaceItem) } },
  handle: async ({ query }, tx) => {
    const after = decodeCursor('workspaces', query.cursor, z.uuid());
    const rows = await tx.em.find(WorkspaceRow, after === null ? {} : { id: { $gt: after } }, {
      orderBy: { id: 'asc' },
      limit: query.limit + 1,
    });
    const page = pageOf('workspaces', rows, query.limit, (row) => row.id, showWorkspace);
    return { status: 200, body: page };
  },
});

function showWorkspace({ id, slug, name }: WorkspaceRow): WorkspaceItem {
  return { id, slug, name };
}

export const workspaceRoutes: AnyRoute[] = [postWorkspace, listWorkspaces];
