/** `/lifecycles` and `/lifecycles/{key}`: reading and changing lifecycles. */
import { ListQuery, listOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute, LARGE_BODY_BYTES } from '../../http/route.ts';
import { created, pageOfKind, shown, takeRow } from '../answer-kind.ts';
import { findByKey } from '../kind.ts';
import { KeyParams } from '../text.schema.ts';
import {
  type CheckAttachments,
  createLifecycle,
  deleteLifecycle,
  replaceLifecycle,
} from './change-lifecycle.ts';
import { Lifecycle, LifecycleReplacement, NewLifecycle } from './lifecycle.schema.ts';
import { lifecycleKind, showLifecycle } from './lifecycle-kind.ts';

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
  handle: ({ query }, tx) => pageOfKind(tx, lifecycleKind, query),
});

const postLifecycle = (checkAttachments: CheckAttachments) =>
  defineRoute({
    method: 'post',
    path: collection,
    operationId: 'createLifecycle',
    tag,
    summary: 'Create a lifecycle',
    access: 'configuration',
    transaction: 'write',
    body: NewLifecycle,
    bodyBytesMax: LARGE_BODY_BYTES,
    answers: { 201: { description: 'The new lifecycle; `Location` is its address.', schema: Lifecycle } },
    errors: ['key_taken', 'configuration_full'],
    handle: async ({ actor, workspace, body }, tx) => {
      const row = await createLifecycle(tx, actor, body, checkAttachments);
      return created(workspace, lifecycleKind, row);
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
  handle: async ({ params }, tx) => shown(lifecycleKind, await findByKey(tx, lifecycleKind, params.key)),
});

const putLifecycle = (checkAttachments: CheckAttachments) =>
  defineRoute({
    method: 'put',
    path: member,
    operationId: 'replaceLifecycle',
    tag,
    summary: 'Replace a lifecycle',
    description:
      'Fields omitted from the body are reset to their defaults. A state of existing entities can neither be removed nor change whether it is released.',
    access: 'configuration',
    transaction: 'write',
    params: KeyParams,
    body: LifecycleReplacement,
    bodyBytesMax: LARGE_BODY_BYTES,
    answers: { 200: { description: 'The changed lifecycle.', schema: Lifecycle } },
    errors: ['not_found', 'in_use', 'configuration_full'],
    handle: async (call, tx) => {
      const row = await takeRow(tx, lifecycleKind, call);
      requireAsRead(LifecycleReplacement, call.body, showLifecycle(row));
      await replaceLifecycle(tx, call.actor, row, call.body, checkAttachments);
      return shown(lifecycleKind, row);
    },
  });

const removeLifecycle = defineRoute({
  method: 'delete',
  path: member,
  operationId: 'deleteLifecycle',
  tag,
  summary: 'Delete a lifecycle',
  description: 'Refused while categories use it.',
  access: 'configuration',
  transaction: 'write',
  params: KeyParams,
  answers: { 204: { description: 'It was deleted.' } },
  errors: ['not_found', 'in_use'],
  handle: async (call, tx) => {
    const row = await takeRow(tx, lifecycleKind, call);
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
