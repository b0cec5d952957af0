/** `/lifecycles` and `/lifecycles/{key}`: reading and changing lifecycles. */

import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import { requireMatch } from '../../http/entity-tag.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute, LARGE_BODY_BYTES } from '../../http/route.ts';
import { selectKeys } from '../configuration.sql.ts';
import { lockConfiguration } from '../lock-configuration.ts';
import { KeyParams } from '../text.schema.ts';
import { versionTag } from '../version-tag.ts';
import type { CheckAttachments } from './check-attachments.ts';
import { createLifecycle } from './create-lifecycle.ts';
import { deleteLifecycle } from './delete-lifecycle.ts';
import { findLifecycle } from './find-lifecycle.ts';
import { LifecycleRow } from './lifecycle.entity.ts';
import { Lifecycle, LifecycleReplacement, NewLifecycle } from './lifecycle.schema.ts';
import { replaceLifecycle } from './replace-lifecycle.ts';
import { showLifecycle } from './show-lifecycle.ts';

const collection = '/api/wid/{slug}/lifecycles';
const member = `${collection}/{key}`;
const tag = 'Configuration';

const listLifecycles = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listLifecycles',
  tag,
  summary: 'List lifecycles',
  description: 'In order of their keys.',
  access: 'read',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of lifecycles.', schema: listOf(Lifecycle) } },
  handle: async ({ query }, tx) => {
    const after = decodeCursor('lifecycles', query.cursor, z.string());
    const { workspaceId } = tx;
    const page = await readPage<{ key: string }>(
      tx,
      selectKeys('lifecycle'),
      [workspaceId, after, query.limit + 1],
      { limit: query.limit, long: ['key', 'states', 'transitions'], columns: 'r.key' },
    );
    const rows = await tx.em.find(
      LifecycleRow,
      { workspaceId, key: { $in: page.rows.map(({ key }) => key) } },
      { orderBy: { key: 'asc' } },
    );
    const body = pageOf('lifecycles', { rows, more: page.more }, (row) => row.key, showLifecycle);
    return { status: 200, body };
  },
});

const postLifecycle = (checkAttachments: CheckAttachments) =>
  defineRoute({
    method: 'post',
    path: collection,
    operationId: 'createLifecycle',
    tag,
    summary: 'Create a lifecycle',
    access: 'admin',
    transaction: 'write',
    body: NewLifecycle,
    bodyBytesMax: LARGE_BODY_BYTES,
    answers: { 201: { description: 'The new lifecycle; `Location` is its address.', schema: Lifecycle } },
    errors: ['key_taken', 'configuration_full'],
    handle: async ({ actor, workspace, body }, tx) => {
      const row = await createLifecycle(tx, actor, body, checkAttachments);
      const address = `/api/wid/${workspace.slug}/lifecycles/${encodeURIComponent(row.key)}`;
      return { status: 201, body: showLifecycle(row), etag: versionTag(row), headers: { Location: address } };
    },
  });

const getLifecycle = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getLifecycle',
  tag,
  summary: 'Read a lifecycle',
  access: 'read',
  transaction: 'read',
  params: KeyParams,
  answers: { 200: { description: 'The lifecycle.', schema: Lifecycle } },
  errors: ['not_found'],
  handle: async ({ params }, tx) => {
    const row = await findLifecycle(tx, params.key);
    return { status: 200, body: showLifecycle(row), etag: versionTag(row) };
  },
});

const putLifecycle = (checkAttachments: CheckAttachments) =>
  defineRoute({
    method: 'put',
    path: member,
    operationId: 'replaceLifecycle',
    tag,
    summary: 'Replace a lifecycle',
    description:
      'What the body leaves out gets its default. A state that entities are in can neither go nor change whether it is released.',
    access: 'admin',
    transaction: 'write',
    params: KeyParams,
    body: LifecycleReplacement,
    bodyBytesMax: LARGE_BODY_BYTES,
    answers: { 200: { description: 'The lifecycle as it now is.', schema: Lifecycle } },
    errors: ['not_found', 'in_use', 'configuration_full'],
    handle: async (call, tx) => {
      await lockConfiguration(tx);
      const row = await findLifecycle(tx, call.params.key);
      requireMatch(call, versionTag(row));
      requireAsRead(LifecycleReplacement, call.body, showLifecycle(row));
      await replaceLifecycle(tx, call.actor, row, call.body, checkAttachments);
      return { status: 200, body: showLifecycle(row), etag: versionTag(row) };
    },
  });

const removeLifecycle = defineRoute({
  method: 'delete',
  path: member,
  operationId: 'deleteLifecycle',
  tag,
  summary: 'Delete a lifecycle',
  description: 'Refused while categories follow it.',
  access: 'admin',
  transaction: 'write',
  params: KeyParams,
  answers: { 204: { description: 'It is gone.' } },
  errors: ['not_found', 'in_use'],
  handle: async (call, tx) => {
    await lockConfiguration(tx);
    const row = await findLifecycle(tx, call.params.key);
    requireMatch(call, versionTag(row));
    await deleteLifecycle(tx, call.actor, row);
    return { status: 204 };
  },
});

export const lifecycleRoutes = (checkAttachments: CheckAttachments): AnyRoute[] => [
  listLifecycles,
  postLifecycle(checkAttachments),
  getLifecycle,
  putLifecycle(checkAttachments),
  removeLifecycle,
];
