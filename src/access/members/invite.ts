/** Makes links that let a person in: invitations, and sign-in links for members who are locked out. */

import { type Area, orderedAreas } from '../../areas.ts';
import { recordChange } from '../../audit/record-change.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { hashKey } from '../key-text.ts';
import { makeToken } from '../session-cookie.ts';
import { type Changer, memberNotFound, requireToHandOn } from './change-member.ts';
import type { CreatedInvitation, NewInvitation } from './member.schema.ts';
import {
  countInvitations,
  deleteExpired,
  deleteLinksOf,
  type InvitationRow,
  insertInvitation,
  isMemberElsewhere,
  type MemberRow,
  selectMember,
} from './member.sql.ts';
import { showInvitation } from './show-member.ts';

const INVITATION_SECONDS = 7 * 86_400;
const SIGN_IN_LINK_SECONDS = 900;

interface Inviting {
  origin: string;
  invitationsMax: number;
}

/** Throws `configuration_full` and `area_missing`. */
export async function invite(
  tx: Tx,
  by: Changer,
  wanted: NewInvitation,
  options: Inviting,
): Promise<CreatedInvitation> {
  const areas = orderedAreas(wanted.areas);
  requireToHandOn(by, areas);
  return makeLink(tx, by, { ...wanted, areas, memberId: null, seconds: INVITATION_SECONDS }, options);
}

/**
 * A link by which a member makes a new way to sign in; it replaces the ones before it. Throws `member_not_found`, `member_ended`,
 * `area_missing`, and `member_elsewhere`: an administrator of one workspace must not reach another through a person.
 */
export async function makeSignInLink(
  tx: Tx,
  by: Changer,
  memberId: string,
  options: Inviting,
): Promise<CreatedInvitation> {
  const [member] = await tx.query<MemberRow>(selectMember, [tx.workspaceId, memberId]);
  if (member === undefined) throw memberNotFound();
  if (member.ended_at !== null)
    throw new AppError('member_ended', 'This member has ended. Invite the person again.');
  const areas = member.areas as Area[];
  requireToHandOn(by, areas);
  const [is] = await tx.query<{ elsewhere: boolean }>(isMemberElsewhere, [memberId]);
  if (is?.elsewhere === true) throw memberElsewhere();
  await tx.query(deleteLinksOf, [tx.workspaceId, memberId]);
  return makeLink(tx, by, { name: member.name, areas, memberId, seconds: SIGN_IN_LINK_SECONDS }, options);
}

export function memberElsewhere(): AppError {
  return new AppError(
    'member_elsewhere',
    'This person works in other workspaces too, which a sign-in link would open. The person can add a passkey or a password under Me; otherwise end the member and invite the person again.',
  );
}

interface WantedLink {
  name: string;
  areas: Area[];
  memberId: string | null;
  expiresAt?: string | undefined;
  seconds: number;
}

async function makeLink(
  tx: Tx,
  { actor }: Changer,
  { name, areas, memberId, expiresAt, seconds }: WantedLink,
  { origin, invitationsMax }: Inviting,
): Promise<CreatedInvitation> {
  await tx.query(deleteExpired, [tx.workspaceId]);
  const [present] = await tx.query<{ count: number }>(countInvitations, [tx.workspaceId]);
  if ((present?.count ?? 0) >= invitationsMax)
    throw new AppError('configuration_full', {
      detail: `The workspace has ${invitationsMax} open invitations, which is as many as it can have. Withdraw some.`,
      extensions: { limit: invitationsMax },
    });
  const secret = makeToken();
  const id = newId();
  const [row] = await tx.query<InvitationRow>(insertInvitation, [
    tx.workspaceId,
    id,
    memberId,
    name,
    areas,
    hashKey(secret),
    actor.id,
    expiresAt ?? null,
    seconds,
  ]);
  const invitation = showInvitation(row as InvitationRow);
  await recordChange(tx, {
    actor,
    action: 'create',
    subjectType: memberId === null ? 'invitation' : 'signInLink',
    subjectKey: memberId ?? id,
    before: null,
    after: invitation,
  });
  return { ...invitation, url: `${origin}/join#${secret}` };
}
