/** Spends a link: the person who opened it becomes a member, or has a new way to sign in. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Config } from '../../config.ts';
import { newId } from '../../db/ids.ts';
import type { AnyTx, InstanceTx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { lockAdminKeys } from '../api-key.sql.ts';
import { requireRoomForActor } from '../create-api-key.ts';
import { hashKey } from '../key-text.ts';
import { type CheckedPasskey, savePasskey } from '../persons/passkeys.ts';
import { addPerson, clearWaysIn, lockPerson, setPersonPassword } from '../persons/person.sql.ts';
import { throwMemberNameTaken } from './change-member.ts';
import { memberElsewhere } from './invite.ts';
import {
  countMembers,
  deleteInvitation,
  insertMember,
  insertMembership,
  type LinkRow,
  lockLink,
  type MemberRow,
  selectMemberOfPerson,
  selectPersonOfMember,
  updateMember,
} from './member.sql.ts';

/** How the person will sign in from now on; null for a person who is signed in and only joins. */
export interface WayIn {
  passkey: CheckedPasskey | null;
  password: { userName: string; hash: string } | null;
}

export interface Acceptance {
  link: string;
  name: string | undefined;
  wayIn: WayIn | null;
  /** Person who is signed in. */
  person: { id: string; name: string } | null;
  limits: Pick<Config, 'MEMBERS_MAX' | 'ACTORS_MAX'>;
}

/**
 * Returns the person. Throws `link_spent`, `already_member`, `member_name_taken`, `member_elsewhere` and
 * `way_in_missing`. All of it is one transaction: a link is spent with its effect, or not at all.
 */
export async function spendLink(tx: InstanceTx, given: Acceptance): Promise<{ id: string; name: string }> {
  const [link] = await tx.query<LinkRow>(lockLink, [hashKey(given.link)]);
  if (link === undefined || link.ended_at !== null) throw linkSpent();
  await tx.query(deleteInvitation, [link.workspace_id, link.id]);
  return link.member_id === null
    ? join(tx, link, given)
    : renewWayIn(tx, { ...link, member_id: link.member_id }, given);
}

async function join(tx: InstanceTx, link: LinkRow, given: Acceptance): Promise<{ id: string; name: string }> {
  const { workspace_id: workspaceId, areas } = link;
  const name = given.name ?? link.name;
  // In the order of those who change members: keys of administrators, then persons and members.
  await tx.query(lockAdminKeys, [workspaceId]);
  const person = given.person ?? (await makePerson(tx, name, given.wayIn));
  await tx.query(lockPerson, [person.id]);
  const [known] = await tx.query<MemberRow>(selectMemberOfPerson, [workspaceId, person.id]);
  if (known !== undefined && known.ended_at === null)
    throw new AppError(
      'already_member',
      `You are signed in as ${known.name}, who is a member already. Sign out first to accept for somebody else.`,
    );
  if (known === undefined) await requireRoomForMember(tx, workspaceId, given.limits);
  const id = known?.id ?? newId();
  await tx
    .query<MemberRow>(known === undefined ? insertMember : updateMember, [
      workspaceId,
      id,
      name,
      areas,
      'hand',
    ])
    .catch(throwMemberNameTaken);
  if (known === undefined) await tx.query(insertMembership, [workspaceId, id, person.id]);
  const actor: Actor = { type: 'member', id, name };
  await recordChange(tx, {
    actor,
    action: known === undefined ? 'create' : 'update',
    subjectType: 'member',
    subjectKey: id,
    before:
      known === undefined ? null : { id, name: known.name, areas: known.areas, endedAt: known.ended_at },
    after: { id, name, areas, endedAt: null, invitationId: link.id },
    workspaceId,
  });
  return person;
}

/** Members who join at once wait for each other at the workspace's admin keys. Throws `configuration_full`. */
export async function requireRoomForMember(
  tx: AnyTx,
  workspaceId: string,
  { MEMBERS_MAX, ACTORS_MAX }: Acceptance['limits'],
): Promise<void> {
  const [present] = await tx.query<{ count: number }>(countMembers, [workspaceId]);
  if ((present?.count ?? 0) < MEMBERS_MAX) return requireRoomForActor(tx, workspaceId, ACTORS_MAX);
  throw new AppError('configuration_full', {
    detail: `The workspace has had ${MEMBERS_MAX} members, which is as many as it can have. Ask the operator to raise MEMBERS_MAX.`,
    extensions: { limit: MEMBERS_MAX },
  });
}

/** The former passkeys, password and sessions end, so that the person notices if somebody else opened the link. */
async function renewWayIn(
  tx: InstanceTx,
  link: LinkRow & { member_id: string },
  { wayIn }: Acceptance,
): Promise<{ id: string; name: string }> {
  const { workspace_id: workspaceId, member_id: memberId, name } = link;
  const [known] = await tx.query<{ person_id: string }>(selectPersonOfMember, [workspaceId, memberId]);
  const person = { id: known?.person_id ?? '', name };
  if (known === undefined) {
    // The workspace came from another installation: its members are persons here from their first sign-in on.
    Object.assign(person, await makePerson(tx, name, wayIn));
    await tx.query(insertMembership, [workspaceId, memberId, person.id]);
  } else {
    // Joining a workspace locks the person too: the person is in no other one until this has ended.
    await tx.query(lockPerson, [person.id]);
    const [now] = await tx.query<{ elsewhere: boolean }>(selectPersonOfMember, [workspaceId, memberId]);
    if (now?.elsewhere === true) throw memberElsewhere();
    await tx.query(clearWaysIn, [person.id]);
    await saveWayIn(tx, person.id, wayIn);
  }
  await recordChange(tx, {
    actor: { type: 'member', id: memberId, name },
    action: 'update',
    subjectType: 'signInLink',
    subjectKey: memberId,
    before: null,
    after: { memberId, waysToSignIn: 'replaced' },
    workspaceId,
  });
  return person;
}

async function makePerson(
  tx: InstanceTx,
  name: string,
  wayIn: WayIn | null,
): Promise<{ id: string; name: string }> {
  const person = { id: newId(), name };
  await tx.query(addPerson, [person.id, name]);
  await saveWayIn(tx, person.id, wayIn);
  return person;
}

async function saveWayIn(tx: InstanceTx, personId: string, wayIn: WayIn | null): Promise<void> {
  const { passkey = null, password = null } = wayIn ?? {};
  if (passkey === null && password === null)
    throw new AppError(
      'way_in_missing',
      'Make a passkey or a password: without one you could not sign in again.',
    );
  if (passkey !== null) await savePasskey(tx, personId, passkey, 'First passkey');
  if (password !== null) await tx.query(setPersonPassword, [personId, password.userName, password.hash]);
}

/** Returns the same error for a link that never was, so that nobody learns from a guess. */
export function linkSpent(): AppError {
  return new AppError(
    'link_spent',
    'This link opens nothing: it was used, was withdrawn, or has expired. Ask an administrator for a new one.',
  );
}
