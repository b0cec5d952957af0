/**
 * Renames, re-dates or weakens a key, or revokes it. The last admin key without an end stays: a workspace whose admin keys all
 * end could be configured by nobody one day.
 */

import type { Actor } from '../actor.ts';
import { type Area, requireArea } from '../areas.ts';
import { requireRoomInFilters } from '../audit/actors-of-caller.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { type ApiKey, type ApiKeyReplacement, KEYS_OF_MEMBER_MAX } from './api-key.schema.ts';
import {
  type ApiKeyRow,
  countKeysOfOwner,
  giveKeyToMember,
  lockAdminMembers,
  lockApiKeys,
  lockNewOwner,
  lockOwner,
  revokeApiKeyStatement,
  selectOtherAdmin,
  updateApiKey,
} from './api-key.sql.ts';
import { areasWanted, columnsOf } from './areas-of-key.ts';
import { apiKeyTag, showApiKey } from './show-api-key.ts';

/**
 * `check` sees the key under its lock and its new areas, and may refuse (a stale If-Match). Throws `api_key_not_found`,
 * `api_key_revoked`, `last_admin_key`.
 */
export async function replaceApiKey(
  tx: Tx,
  actor: Actor,
  id: string,
  wanted: ApiKeyReplacement,
  check: (before: ApiKey, areas: readonly Area[]) => void,
): Promise<ApiKey> {
  const before = await lockKey(tx, id);
  const held = areasWanted(wanted, before);
  check(before, held);
  if (before.revokedAt !== null) {
    throw new AppError('api_key_revoked', 'A revoked key stays as it was. Create a new one.');
  }
  const [permission, areas] = columnsOf(held);
  if (reachOf({ permission, expiresAt: wanted.expiresAt }) < reachOf(before))
    await requireOtherAdmin(tx, before);
  const memberId = wanted.memberId === undefined ? before.memberId : wanted.memberId;
  if (memberId !== before.memberId) await giveToMember(tx, before, memberId, held);
  await requireWithinOwner(tx, id, held);
  const [row] = await tx.query<ApiKeyRow>(updateApiKey, [
    tx.workspaceId,
    id,
    wanted.name,
    permission,
    wanted.expiresAt,
    areas,
  ]);
  const after = showApiKey(row as ApiKeyRow);
  if (apiKeyTag(after) !== apiKeyTag(before)) {
    await recordChange(tx, { actor, action: 'update', subjectType: 'apiKey', subjectKey: id, before, after });
  }
  return after;
}

/** Revokes a key; one that is revoked already stays so. `check` and errors as in `replaceApiKey`. */
export async function revokeApiKey(
  tx: Tx,
  actor: Actor,
  id: string,
  check: (before: ApiKey) => void,
): Promise<void> {
  const before = await lockKey(tx, id);
  check(before);
  if (before.revokedAt !== null) return;
  await requireOtherAdmin(tx, before);
  const [row] = await tx.query<ApiKeyRow>(revokeApiKeyStatement, [tx.workspaceId, id]);
  const after = showApiKey(row as ApiKeyRow);
  await recordChange(tx, { actor, action: 'revoke', subjectType: 'apiKey', subjectKey: id, before, after });
}

/** Gives a key that belongs to nobody to an active member who has its areas and room for it. */
async function giveToMember(
  tx: Tx,
  before: ApiKey,
  memberId: string | null,
  held: readonly Area[],
): Promise<void> {
  const refuse = (code: string, message: string) =>
    new AppError('validation_failed', { detail: message, errors: [{ pointer: '/memberId', code, message }] });
  if (before.memberId !== null || memberId === null)
    throw refuse('key_is_taken', 'The key belongs to a member and stays with it. Create another key.');
  await requireOtherAdmin(tx, before);
  const member = [tx.workspaceId, memberId];
  const [owner] = await tx.query<{ name: string; areas: Area[] }>(lockNewOwner, member);
  if (owner === undefined) throw refuse('member_not_found', 'There is no active member with this id.');
  const lacking = held.filter((area) => !owner.areas.includes(area));
  if (lacking.length > 0)
    throw refuse(
      'area_missing',
      `${owner.name} lacks areas of the key: ${lacking.join(', ')}. Give them to the member, or take them from the key.`,
    );
  const [keys] = await tx.query<{ count: number }>(countKeysOfOwner, member);
  if ((keys?.count ?? 0) >= KEYS_OF_MEMBER_MAX)
    throw refuse(
      'too_many_keys',
      `${owner.name} has ${KEYS_OF_MEMBER_MAX} keys, which is as many as a member can have.`,
    );
  await tx.query(giveKeyToMember, [tx.workspaceId, before.id, memberId]);
  await requireRoomInFilters(tx, { id: memberId, name: owner.name });
}

/** A key of a member never does more than the member. Throws `area_missing`. */
async function requireWithinOwner(tx: Tx, id: string, held: readonly Area[]): Promise<void> {
  const [owner] = await tx.query<{ areas: Area[] }>(lockOwner, [tx.workspaceId, id]);
  if (owner === undefined) return;
  for (const area of held) requireArea(owner, area);
}

async function lockKey(tx: Tx, id: string): Promise<ApiKey> {
  const rows = await tx.query<ApiKeyRow>(lockApiKeys, [tx.workspaceId, id]);
  const row = rows.find((one) => one.id === id);
  if (row === undefined) throw apiKeyNotFound();
  return showApiKey(row);
}

/** How far a key goes in keeping the workspace open to an admin. */
const reaches = ['none', 'until it ends', 'lasting'] as const;

function reachOf({ permission, expiresAt }: Pick<ApiKey, 'permission' | 'expiresAt'>): number {
  const isUsable = expiresAt === null || Date.parse(expiresAt) > Date.now();
  if (permission !== 'admin' || !isUsable) return reaches.indexOf('none');
  return reaches.indexOf(expiresAt === null ? 'lasting' : 'until it ends');
}

/** Throws `last_admin_key` where no other admin key reaches as far as this one. */
async function requireOtherAdmin(tx: Tx, key: ApiKey): Promise<void> {
  const reach = reachOf(key);
  if (reach === reaches.indexOf('none')) return;
  await tx.query(lockAdminMembers, [tx.workspaceId]);
  const isLasting = reach === reaches.indexOf('lasting');
  const [other] = await tx.query<{ remains: boolean }>(selectOtherAdmin, [tx.workspaceId, key.id, isLasting]);
  if (other?.remains === true) return;
  throw new AppError(
    'last_admin_key',
    isLasting
      ? 'This is the last admin key without an end: without it nobody could configure the workspace one day. Create another one without an end first.'
      : 'This is the last usable admin key: without it nobody could configure the workspace. Create another one first.',
  );
}

export function apiKeyNotFound(): AppError {
  return new AppError('api_key_not_found', 'There is no API key with this id.');
}
