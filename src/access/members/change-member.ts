/** Renames a member, changes its areas, or ends it. An administrator always remains, also when several members are changed at the same time. */
import type { Actor } from '../../actor.ts';
import { type Area, areasOfPermission, orderedAreas, permissionOf, requireArea } from '../../areas.ts';
import { recordChange } from '../../audit/record-change.ts';
import { type Tx, violatedConstraint } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { lockAdminKeys, revokeApiKeyStatement } from '../api-key.sql.ts';
import type { Member, MemberReplacement } from './member.schema.ts';
import {
  deleteLinksOf,
  endMemberStatement,
  endSessionsOfMember,
  lockMembers,
  type MemberRow,
  renamePersonOfMember,
  selectAdminBeside,
  selectKeysOfMember,
  setAreasOfKey,
  updateMember,
} from './member.sql.ts';
import { auditedMember, memberTag, showMember } from './show-member.ts';

/** The caller that changes members, with the areas that it may hand on. */
export interface Changer {
  actor: Actor;
  areas: readonly Area[];
}

/** `check` sees the member under its lock. Throws `member_not_found`, `member_ended`, `last_admin`, `member_name_taken`, `area_missing`. */
export async function replaceMember(
  tx: Tx,
  by: Changer,
  id: string,
  wanted: Pick<MemberReplacement, 'name' | 'areas' | 'managed'>,
  check: (before: Member) => void,
): Promise<Member> {
  const before = await lockMember(tx, id);
  check(before);
  if (before.endedAt !== null)
    throw new AppError('member_ended', 'This member has ended. Invite the person again.');
  const areas = orderedAreas(wanted.areas);
  requireToHandOn(
    by,
    areas.filter((area) => !before.areas.includes(area)),
  );
  if (permissionOf(areas) !== 'admin') await requireAdminBeside(tx, before);
  const [row] = await tx
    .query<MemberRow>(updateMember, [tx.workspaceId, id, wanted.name, areas, wanted.managed])
    .catch(throwMemberNameTaken);
  await confineKeys(tx, id, areas);
  const after = await showMember(tx, row as MemberRow);
  if (memberTag(after) !== memberTag(before))
    await recordChange(tx, {
      actor: by.actor,
      action: 'update',
      subjectType: 'member',
      subjectKey: id,
      before: auditedMember(before),
      after: auditedMember(after),
    });
  return after;
}

/** Renames a member at its own wish, and its person where that has the same name. Throws `member_ended`, `member_name_taken`. */
export async function renameMember(tx: Tx, by: Changer, id: string, name: string): Promise<Member> {
  const { name: former, areas, managed } = await lockMember(tx, id);
  const after = await replaceMember(tx, by, id, { name, areas, managed }, () => {});
  await tx.query(renamePersonOfMember, [id, former, name]);
  return after;
}

/** Ends a member, its sessions and its keys. What it did stays. One that has ended stays so. */
export async function endMember(
  tx: Tx,
  actor: Actor,
  id: string,
  check: (before: Member) => void,
  managed: Member['managed'] = 'hand',
): Promise<void> {
  const before = await lockMember(tx, id);
  check(before);
  if (before.endedAt !== null) return;
  await requireAdminBeside(tx, before);
  const [row] = await tx.query<MemberRow>(endMemberStatement, [tx.workspaceId, id, managed]);
  await tx.query(deleteLinksOf, [tx.workspaceId, id]);
  for (const key of await tx.query<{ id: string }>(selectKeysOfMember, [tx.workspaceId, id]))
    await tx.query(revokeApiKeyStatement, [tx.workspaceId, key.id]);
  await tx.query(endSessionsOfMember, [id]);
  const after = await showMember(tx, row as MemberRow);
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'member',
    subjectKey: id,
    before: auditedMember(before),
    after: auditedMember(after),
  });
}

/** Takes from the keys of a member what the member may not do any more. */
async function confineKeys(tx: Tx, memberId: string, areas: readonly Area[]): Promise<void> {
  const keys = await tx.query<{
    id: string;
    permission: keyof typeof areasOfPermission;
    areas: Area[] | null;
  }>(selectKeysOfMember, [tx.workspaceId, memberId]);
  for (const key of keys) {
    const held = key.areas ?? areasOfPermission[key.permission];
    const kept = orderedAreas(held.filter((area) => areas.includes(area)));
    if (kept.length < held.length)
      await tx.query(setAreasOfKey, [tx.workspaceId, key.id, permissionOf(kept), kept]);
  }
}

/** Refuses to give areas that the caller lacks. Throws `area_missing`. */
export function requireToHandOn(by: Changer, areas: readonly Area[]): void {
  for (const area of areas) requireArea(by, area);
}

async function lockMember(tx: Tx, id: string): Promise<Member> {
  await tx.query(lockAdminKeys, [tx.workspaceId]);
  const rows = await tx.query<MemberRow>(lockMembers, [tx.workspaceId, id]);
  const row = rows.find((one) => one.id === id);
  if (row === undefined) throw memberNotFound();
  return showMember(tx, row);
}

async function requireAdminBeside(tx: Tx, { id, areas }: Member): Promise<void> {
  if (permissionOf(areas) !== 'admin') return;
  const [beside] = await tx.query<{ remains: boolean }>(selectAdminBeside, [tx.workspaceId, id]);
  if (beside?.remains === true) return;
  throw new AppError(
    'last_admin',
    'This is the last administrator with all areas: nobody else could give them to anybody. Give them to another member first.',
  );
}

export function memberNotFound(): AppError {
  return new AppError('member_not_found', 'There is no member with this id.');
}

/** Says that a name is taken, where that is what went wrong. */
export function throwMemberNameTaken(error: unknown): never {
  if (violatedConstraint(error) !== 'member_name') throw error;
  throw new AppError(
    'member_name_taken',
    'Another member has this name. Ledger and history name people by it: choose one that tells them apart.',
  );
}
