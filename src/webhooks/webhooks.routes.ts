/** `/webhooks`: receivers of events outside the service, and the log of deliveries. */

import { z } from 'zod';
import { requireProof } from '../access/proof/require-proof.ts';
import { readPage } from '../db/read-page.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../http/list.ts';
import { requireAsRead } from '../http/read-only.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { createWebhook, deleteWebhook, findWebhook, replaceWebhook, rotateSecret } from './change-webhook.ts';
import { findDelivery } from './find-delivery.ts';
import { messages } from './message.schema.ts';
import { resendDelivery } from './resend-delivery.ts';
import { sendTest } from './send-test.ts';
import {
  type DeliveryRow,
  showDelivery,
  showDeliveryWithPayload,
  showWebhook,
  type WebhookRow,
  webhookTag,
} from './show-webhook.ts';
import {
  Delivery,
  DeliveryParams,
  DeliveryQuery,
  DeliveryWithPayload,
  NewWebhook,
  SecretRotation,
  Webhook,
  WebhookParams,
  WebhookReplacement,
  WebhookWithSecret,
} from './webhook.schema.ts';
import { selectDeliveries, selectWebhooks } from './webhook.sql.ts';

const collection = '/api/wid/{slug}/webhooks';
const member = `${collection}/{id}`;
const tag = 'Webhooks';

const listWebhooks = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listWebhooks',
  tag,
  summary: 'List webhooks',
  description: 'In order of creation.',
  access: 'read',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of webhooks.', schema: listOf(Webhook) } },
  handle: async ({ query }, tx) => {
    const after = decodeCursor('webhooks', query.cursor, z.uuid());
    const page = await readPage<WebhookRow>(tx, selectWebhooks, [tx.workspaceId, after, query.limit + 1], {
      limit: query.limit,
      long: ['url', 'description', 'events'],
    });
    return { status: 200, body: pageOf('webhooks', page, (row) => row.id, showWebhook) };
  },
});

const postWebhook = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createWebhook',
  tag,
  summary: 'Create a webhook',
  description:
    'Messages are signed according to Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`. A message that is not answered with 2xx is retried with growing delays; redirects are not followed.',
  access: 'configuration',
  transaction: 'write',
  body: NewWebhook,
  answers: { 201: { description: 'The webhook with its secret.', schema: WebhookWithSecret } },
  errors: ['proof_needed', 'target_refused', 'configuration_full'],
  messages,
  before: requireProof,
  handle: async ({ ctx, actor, workspace, body }, tx) => {
    const { row, secret } = await createWebhook(tx, actor, body, ctx.config);
    return {
      status: 201,
      body: { ...showWebhook(row), secret },
      etag: webhookTag(row),
      headers: { Location: `/api/wid/${workspace.slug}/webhooks/${row.id}` },
    };
  },
});

const getWebhook = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getWebhook',
  tag,
  summary: 'Read a webhook',
  access: 'read',
  transaction: 'read',
  params: WebhookParams,
  answers: { 200: { description: 'The webhook.', schema: Webhook } },
  errors: ['webhook_not_found'],
  handle: async ({ params }, tx) => {
    const row = await findWebhook(tx, params.id);
    return { status: 200, body: showWebhook(row), etag: webhookTag(row) };
  },
});

const putWebhook = defineRoute({
  method: 'put',
  path: member,
  operationId: 'replaceWebhook',
  tag,
  summary: 'Replace a webhook',
  description: 'Enabling a webhook that the service has disabled clears the reason, and deliveries continue.',
  access: 'configuration',
  transaction: 'write',
  params: WebhookParams,
  body: WebhookReplacement,
  answers: { 200: { description: 'The changed webhook.', schema: Webhook } },
  errors: ['proof_needed', 'webhook_not_found', 'target_refused'],
  before: requireProof,
  handle: async (call, tx) => {
    const check = (row: WebhookRow) => {
      requireMatch(call, webhookTag(row));
      requireAsRead(WebhookReplacement, call.body, showWebhook(row));
    };
    const row = await replaceWebhook(tx, call.actor, call.params.id, call.body, {
      limits: call.ctx.config,
      check,
    });
    return { status: 200, body: showWebhook(row), etag: webhookTag(row) };
  },
});

const removeWebhook = defineRoute({
  method: 'delete',
  path: member,
  operationId: 'deleteWebhook',
  tag,
  summary: 'Delete a webhook and its deliveries',
  access: 'configuration',
  transaction: 'write',
  params: WebhookParams,
  answers: { 204: { description: 'It was deleted.' } },
  errors: ['webhook_not_found'],
  handle: async (call, tx) => {
    await deleteWebhook(tx, call.actor, call.params.id, (row) => requireMatch(call, webhookTag(row)));
    return { status: 204 };
  },
});

const postRotation = defineRoute({
  method: 'post',
  path: `${member}/rotate-secret`,
  operationId: 'rotateWebhookSecret',
  tag,
  summary: 'Rotate the secret of a webhook',
  description:
    'During the overlap messages carry two signatures, so that the receiver can switch at any time.',
  access: 'configuration',
  transaction: 'write',
  params: WebhookParams,
  body: SecretRotation,
  answers: { 200: { description: 'The webhook with its new secret.', schema: WebhookWithSecret } },
  errors: ['proof_needed', 'webhook_not_found'],
  before: requireProof,
  handle: async ({ actor, params, body }, tx) => {
    const { row, secret } = await rotateSecret(tx, actor, params.id, body.overlapHours);
    return { status: 200, body: { ...showWebhook(row), secret }, etag: webhookTag(row) };
  },
});

const listDeliveries = defineRoute({
  method: 'get',
  path: `${member}/deliveries`,
  operationId: 'listWebhookDeliveries',
  tag,
  summary: 'List the deliveries of a webhook',
  description: 'Newest first.',
  access: 'read',
  transaction: 'read',
  params: WebhookParams,
  query: DeliveryQuery,
  answers: { 200: { description: 'A page of deliveries.', schema: listOf(Delivery) } },
  errors: ['webhook_not_found'],
  handle: async ({ params, query }, tx) => {
    await findWebhook(tx, params.id);
    const list = `deliveries ${params.id} ${query.status ?? ''}`;
    const below = decodeCursor(list, query.cursor, z.uuid());
    const page = await readPage<DeliveryRow>(
      tx,
      selectDeliveries(query.status === undefined ? 'all' : 'status'),
      [tx.workspaceId, params.id, below, query.status ?? null, query.limit + 1],
      { limit: query.limit, long: ['last_error'] },
    );
    return { status: 200, body: pageOf(list, page, (row) => row.id, showDelivery) };
  },
});

const getDelivery = defineRoute({
  method: 'get',
  path: `${member}/deliveries/{deliveryId}`,
  operationId: 'getWebhookDelivery',
  tag,
  summary: 'Read a delivery with its message and its attempts',
  access: 'read',
  transaction: 'read',
  params: DeliveryParams,
  answers: { 200: { description: 'The delivery.', schema: DeliveryWithPayload } },
  errors: ['delivery_not_found'],
  handle: async ({ params }, tx) => ({
    status: 200,
    body: showDeliveryWithPayload(await findDelivery(tx, params.id, params.deliveryId)),
  }),
});

const postResend = defineRoute({
  method: 'post',
  path: `${member}/deliveries/{deliveryId}/resend`,
  operationId: 'resendWebhookDelivery',
  tag,
  summary: 'Resend a message',
  description: 'Sends it with the same `webhook-id`, whether it was delivered or not.',
  access: 'configuration',
  transaction: 'write',
  params: DeliveryParams,
  answers: { 202: { description: 'The message is queued.', schema: DeliveryWithPayload } },
  errors: ['webhook_not_found', 'delivery_not_found', 'webhook_disabled'],
  handle: async ({ params }, tx) => {
    await resendDelivery(tx, params.id, params.deliveryId);
    const body = showDeliveryWithPayload(await findDelivery(tx, params.id, params.deliveryId));
    return { status: 202, body };
  },
});

const postTest = defineRoute({
  method: 'post',
  path: `${member}/test`,
  operationId: 'testWebhook',
  tag,
  summary: 'Send a webhook a test message',
  description:
    'A message of type `webhook.test`, signed, sent and logged like any other, with the same rules for addresses. It is sent once, and a failure does not count against the receiver.',
  access: 'configuration',
  transaction: 'write',
  params: WebhookParams,
  answers: { 202: { description: 'The message is queued.', schema: DeliveryWithPayload } },
  errors: ['webhook_not_found', 'webhook_disabled', 'test_waiting'],
  handle: async ({ actor, params }, tx) => ({
    status: 202,
    body: showDeliveryWithPayload(await sendTest(tx, actor, params.id)),
  }),
});

export const webhookRoutes: AnyRoute[] = [
  listWebhooks,
  postWebhook,
  getWebhook,
  putWebhook,
  removeWebhook,
  postRotation,
  listDeliveries,
  getDelivery,
  postResend,
  postTest,
];
