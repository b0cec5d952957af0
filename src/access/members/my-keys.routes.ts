/** Personal API keys: a member makes them for its own programs. They end with the member and never do more than it may. */
import { z } from 'zod';
import { type Area, areas, orderedAreas } from '../../areas.ts';
import { requireRoomInFilters } from '../../audit/actors-of-caller.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { invalidInput } from '../../http/bodies/validate-input.ts';
import { Instant } from '../../http/instant.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../../http/route.ts';
import { ApiKey, CreatedApiKey, KEYS_OF_MEMBER_MAX } from '../api-key.schema.ts';
import { type ApiKeyRow, giveKeyToMember, selectKeysOfOwner, trimRevokedKeys } from '../api-key.sql.ts';
import { apiKeyNotFound, revokeApiKey } from '../change-api-key.ts';
import { createApiKey, requireRoomForKey } from '../create-api-key.ts';
import { requireProof } from '../proof/require-proof.ts';
import { showApiKey } from '../show-api-key.ts';
import { requireToHandOn } from './change-member.ts';
import { type MemberRow, selectMember } from './member.sql.ts';

const tag = 'Members';
const collection = '/api/wid/{slug}/me/api-keys';

const NewOwnApiKey = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .meta({ description: 'Shown behind your name, as in "Anna Berg, Laptop".' }),
    areas: z
      .array(z.enum(areas))
      .min(1)
      .max(areas.length)
      .meta({ description: 'What the key may do, of what you may do.' }),
    expiresAt: Instant.nullable()
      .default(null)
      .meta({ description: 'The key is refused from this time on; null: never.' }),
  })
  .meta({ id: 'NewOwnApiKey' });

const list = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listMyApiKeys',
  tag,
  summary: 'List your own API keys, newest first',
  access: 'read',
  transaction: 'read',
  answers: {
    200: {
      description: 'Your keys that are not revoked.',
      schema: z.object({ items: z.array(ApiKey).max(KEYS_OF_MEMBER_MAX) }),
    },
  },
  handle: async (call, tx) => ({
    status: 200,
    body: { items: (await readOwnKeys(tx, requireMember(call))).map(showApiKey) },
  }),
});

const create = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createMyApiKey',
  tag,
  summary: 'Create an API key of your own',
  description:
    'Ledger, history and audit name you with the key. It is revoked when you leave, and loses areas that you lose. The key is shown only once.',
  access: 'read',
  transaction: 'write',
  body: NewOwnApiKey,
  answers: { 201: { description: 'The key was created.', schema: CreatedApiKey } },
  errors: ['proof_needed', 'configuration_full'],
  before: requireProof,
  handle: async (call, tx) => {
    const { ctx, actor, body, workspace } = call;
    const memberId = requireMember(call);
    if (body.expiresAt !== null && Date.parse(body.expiresAt) <= Date.now())
      throw invalidInput([
        { pointer: '/expiresAt', code: 'in_the_past', message: 'Must lie in the future.' },
      ]);
    const wanted = orderedAreas(body.areas);
    await requireRoomForKey(tx, ctx.config);
    // Holds the lock of the member, so that a change that takes an area from the member takes it from the key, too.
    const [member] = await tx.query<MemberRow>(`${selectMember} for update`, [workspace.id, memberId]);
    if (member === undefined || member.ended_at !== null) throw notMember();
    requireToHandOn({ actor, areas: member.areas as Area[] }, wanted);
    await requireRoomForOwn(tx, memberId);
    const made = await createApiKey(tx, {
      name: `${member.name}, ${body.name}`,
      areas: wanted,
      expiresAt: body.expiresAt,
      workspaceId: workspace.id,
      actor,
    });
    await tx.query(giveKeyToMember, [workspace.id, made.id, memberId]);
    await requireRoomInFilters(tx, { id: memberId, name: member.name });
    return { status: 201, body: { ...made, memberId } };
  },
});

const revoke = defineRoute({
  method: 'delete',
  path: `${collection}/{id}`,
  operationId: 'revokeMyApiKey',
  tag,
  summary: 'Revoke one of your API keys',
  access: 'read',
  transaction: 'write',
  params: z.object({ id: z.uuid() }),
  answers: { 204: { description: 'The key is revoked.' } },
  errors: ['api_key_not_found'],
  handle: async (call, tx) => {
    const memberId = requireMember(call);
    const { id } = call.params;
    if (!(await readOwnKeys(tx, memberId)).some((row) => row.id === id)) throw apiKeyNotFound();
    await revokeApiKey(tx, call.actor, id, () => {});
    await tx.query(trimRevokedKeys, [tx.workspaceId, call.ctx.config.REVOKED_API_KEYS_MAX]);
    return { status: 204 };
  },
});

function readOwnKeys(tx: Tx, memberId: string): Promise<ApiKeyRow[]> {
  return tx.query<ApiKeyRow>(selectKeysOfOwner, [tx.workspaceId, memberId, KEYS_OF_MEMBER_MAX]);
}

async function requireRoomForOwn(tx: Tx, memberId: string): Promise<void> {
  if ((await readOwnKeys(tx, memberId)).length < KEYS_OF_MEMBER_MAX) return;
  throw new AppError('configuration_full', {
    detail: `You have ${KEYS_OF_MEMBER_MAX} API keys, which is as many as a member can have. Revoke some.`,
    extensions: { limit: KEYS_OF_MEMBER_MAX },
  });
}

/** Returns the member of the call. Throws `forbidden` for keys: a key makes no further ones. */
function requireMember({ actor }: Pick<WorkspaceCall, 'actor'>): string {
  if (actor.type !== 'member') throw notMember();
  return actor.id;
}

function notMember(): AppError {
  return new AppError('forbidden', 'This takes the session of a member: keys have no keys of their own.');
}

export const myKeyRoutes: readonly AnyRoute[] = [list, create, revoke];
