/** API keys of a workspace: who may enter it, and with what permission. */
import { z } from 'zod';
import { readPage } from '../db/read-page.ts';
import { invalidInput } from '../http/bodies/validate-input.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../http/list.ts';
import { requireAsRead } from '../http/read-only.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { ApiKey, ApiKeyReplacement, CreatedApiKey, NewApiKey } from './api-key.schema.ts';
import { type ApiKeyRow, selectApiKey, selectApiKeys, trimRevokedKeys } from './api-key.sql.ts';
import { areasWanted, requireOwnAreas } from './areas-of-key.ts';
import { apiKeyNotFound, replaceApiKey, revokeApiKey } from './change-api-key.ts';
import { createApiKey, requireRoomForKey } from './create-api-key.ts';
import { requireProof } from './proof/require-proof.ts';
import { apiKeyTag, showApiKey } from './show-api-key.ts';

const tag = 'API keys';
const collection = '/api/wid/{slug}/api-keys';
const single = '/api/wid/{slug}/api-keys/{id}';
const KeyParams = z.object({ id: z.uuid() });

const list = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listApiKeys',
  tag,
  summary: 'List API keys, newest first',
  description:
    'Includes expired keys and the newest revoked ones, but not the keys themselves, which are stored nowhere.',
  access: 'admin',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of keys.', schema: listOf(ApiKey) } },
  handle: async ({ workspace, query }, tx) => {
    const after = decodeCursor('api-keys', query.cursor, z.uuid());
    const page = await readPage<ApiKeyRow>(tx, selectApiKeys, [workspace.id, after, query.limit + 1], {
      limit: query.limit,
      long: ['name'],
    });
    return { status: 200, body: pageOf('api-keys', page, (row) => row.id, showApiKey) };
  },
});

const create = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createApiKey',
  tag,
  summary: 'Create an API key',
  description:
    'The response contains the key, which is shown only once. Nobody can give a key an area that they lack themselves.',
  access: 'admin',
  transaction: 'write',
  body: NewApiKey,
  answers: { 201: { description: 'The key was created.', schema: CreatedApiKey } },
  errors: ['proof_needed', 'configuration_full'],
  before: requireProof,
  handle: async ({ ctx, actor, areas, workspace, body }, tx) => {
    requireOwnAreas({ areas }, areasWanted(body));
    if (body.expiresAt !== null && Date.parse(body.expiresAt) <= Date.now()) {
      throw invalidInput([
        { pointer: '/expiresAt', code: 'in_the_past', message: 'Must lie in the future.' },
      ]);
    }
    await requireRoomForKey(tx, ctx.config);
    const made = await createApiKey(tx, { ...body, workspaceId: workspace.id, actor });
    return {
      status: 201,
      body: made,
      etag: apiKeyTag(made),
      headers: { Location: `/api/wid/${workspace.slug}/api-keys/${made.id}` },
    };
  },
});

const read = defineRoute({
  method: 'get',
  path: single,
  operationId: 'getApiKey',
  tag,
  summary: 'Read an API key',
  access: 'admin',
  transaction: 'read',
  params: KeyParams,
  answers: { 200: { description: "The key's attributes.", schema: ApiKey } },
  errors: ['api_key_not_found'],
  handle: async ({ workspace, params }, tx) => {
    const [row] = await tx.query<ApiKeyRow>(selectApiKey, [workspace.id, params.id]);
    if (row === undefined) throw apiKeyNotFound();
    const apiKey = showApiKey(row);
    return { status: 200, body: apiKey, etag: apiKeyTag(apiKey) };
  },
});

const replace = defineRoute({
  method: 'put',
  path: single,
  operationId: 'replaceApiKey',
  tag,
  summary: "Change an API key's name, areas or expiry",
  access: 'admin',
  transaction: 'write',
  params: KeyParams,
  body: ApiKeyReplacement,
  answers: { 200: { description: 'The changed key.', schema: ApiKey } },
  errors: ['proof_needed', 'api_key_not_found', 'api_key_revoked', 'last_admin_key', 'configuration_full'],
  before: requireProof,
  handle: async (call, tx) => {
    const { actor, params, body } = call;
    const after = await replaceApiKey(tx, actor, params.id, body, (before, areas) => {
      requireMatch(call, apiKeyTag(before));
      requireOwnAreas(call, areas, before.areas);
      requireAsRead(ApiKeyReplacement, body, before);
    });
    return { status: 200, body: after, etag: apiKeyTag(after) };
  },
});

const revoke = defineRoute({
  method: 'delete',
  path: single,
  operationId: 'revokeApiKey',
  tag,
  summary: 'Revoke an API key',
  description:
    'The key is refused from the next request on, in every process. Its past actions stay attributed to it.',
  access: 'admin',
  transaction: 'write',
  params: KeyParams,
  answers: { 204: { description: 'The key is revoked.' } },
  errors: ['api_key_not_found', 'last_admin_key'],
  handle: async (call, tx) => {
    await revokeApiKey(tx, call.actor, call.params.id, (before) => requireMatch(call, apiKeyTag(before)));
    await tx.query(trimRevokedKeys, [call.workspace.id, call.ctx.config.REVOKED_API_KEYS_MAX]);
    return { status: 204 };
  },
});

export const apiKeyRoutes: readonly AnyRoute[] = [list, create, read, replace, revoke];
