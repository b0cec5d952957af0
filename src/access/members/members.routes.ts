/** Members of a workspace, invitations, and sign-in links. */
import { z } from 'zod';
import { recordChange } from '../../audit/record-change.ts';
import { DAY_MS } from '../../calendar/days.ts';
import { readPage } from '../../db/read-page.ts';
import { AppError } from '../../errors.ts';
import { invalidInput } from '../../http/bodies/validate-input.ts';
import { requireMatch } from '../../http/entity-tag.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { siteOf } from '../persons/site.ts';
import { requireProof } from '../proof/require-proof.ts';
import { endMember, memberNotFound, replaceMember } from './change-member.ts';
import { invite, makeSignInLink } from './invite.ts';
import { CreatedInvitation, Invitation, Member, MemberReplacement, NewInvitation } from './member.schema.ts';
import {
  deleteInvitation,
  type InvitationRow,
  type MemberRow,
  selectInvitations,
  selectMember,
  selectMembers,
} from './member.sql.ts';
import { memberTag, showInvitation, showMember, showMembers } from './show-member.ts';

const tag = 'Members';
const collection = '/api/wid/{slug}/members';
const single = `${collection}/{id}`;
const invitations = '/api/wid/{slug}/invitations';
const ById = z.object({ id: z.uuid() });
const INVITATION_DAYS_MAX = 30;

const list = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listMembers',
  tag,
  summary: 'List members, newest first',
  description: 'Includes members who have ended: the ledger and the history name them.',
  access: 'admin',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of members.', schema: listOf(Member) } },
  handle: async ({ workspace, query }, tx) => {
    const after = decodeCursor('members', query.cursor, z.uuid());
    const page = await readPage<MemberRow>(tx, selectMembers, [workspace.id, after, query.limit + 1], {
      limit: query.limit,
      long: ['name'],
    });
    const shown = await showMembers(tx, page.rows);
    return {
      status: 200,
      body: pageOf(
        'members',
        page,
        (row) => row.id,
        (row) => shown.get(row.id) as Member,
      ),
    };
  },
});

const read = defineRoute({
  method: 'get',
  path: single,
  operationId: 'getMember',
  tag,
  summary: 'Read a member',
  access: 'admin',
  transaction: 'read',
  params: ById,
  answers: { 200: { description: 'The member.', schema: Member } },
  errors: ['member_not_found'],
  handle: async ({ workspace, params }, tx) => {
    const [row] = await tx.query<MemberRow>(selectMember, [workspace.id, params.id]);
    if (row === undefined) throw memberNotFound();
    const member = await showMember(tx, row);
    return { status: 200, body: member, etag: memberTag(member) };
  },
});

const replace = defineRoute({
  method: 'put',
  path: single,
  operationId: 'replaceMember',
  tag,
  summary: "Change a member's name or areas",
  description:
    'It takes effect on the next request of the member and of its keys. Nobody can give areas that they do not have. The last administrator stays.',
  access: 'admin',
  transaction: 'write',
  params: ById,
  body: MemberReplacement,
  answers: { 200: { description: 'The changed member.', schema: Member } },
  errors: ['proof_needed', 'member_not_found', 'member_ended', 'member_name_taken', 'last_admin'],
  before: requireProof,
  handle: async (call, tx) => {
    const { params, body } = call;
    const after = await replaceMember(tx, call, params.id, body, (before) => {
      requireMatch(call, memberTag(before));
      requireAsRead(MemberReplacement, body, before);
    });
    return { status: 200, body: after, etag: memberTag(after) };
  },
});

const end = defineRoute({
  method: 'delete',
  path: single,
  operationId: 'endMember',
  tag,
  summary: 'End a member',
  description:
    'The person can do nothing in the workspace from the next request on, and the keys of the member are revoked. Nothing that the member did is erased. Invite the person again to let it come back.',
  access: 'admin',
  transaction: 'write',
  params: ById,
  answers: { 204: { description: 'The member has ended.' } },
  errors: ['member_not_found', 'last_admin'],
  handle: async (call, tx) => {
    await endMember(tx, call.actor, call.params.id, (before) => requireMatch(call, memberTag(before)));
    return { status: 204 };
  },
});

const signInLink = defineRoute({
  method: 'post',
  path: `${single}/sign-in-links`,
  operationId: 'createSignInLink',
  tag,
  summary: 'Create a sign-in link for a member who is locked out',
  description:
    'The link works once, for 15 minutes, and replaces links before it. The person makes a new passkey or password with it, which replaces the ones before and ends their sessions. For a person who works in other workspaces too it is refused.',
  access: 'admin',
  transaction: 'write',
  params: ById,
  answers: { 201: { description: 'The link, which is shown only once.', schema: CreatedInvitation } },
  errors: ['proof_needed', 'member_not_found', 'member_ended', 'member_elsewhere', 'configuration_full'],
  before: requireProof,
  handle: async (call, tx) => {
    const { ctx, req, params } = call;
    const made = await makeSignInLink(tx, call, params.id, {
      origin: siteOf(ctx.config, req).origin,
      invitationsMax: ctx.config.INVITATIONS_MAX,
    });
    return { status: 201, body: made };
  },
});

const listInvitations = defineRoute({
  method: 'get',
  path: invitations,
  operationId: 'listInvitations',
  tag,
  summary: 'List invitations and sign-in links that still work, newest first',
  access: 'admin',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of invitations.', schema: listOf(Invitation) } },
  handle: async ({ workspace, query }, tx) => {
    const after = decodeCursor('invitations', query.cursor, z.uuid());
    const page = await readPage<InvitationRow>(
      tx,
      selectInvitations,
      [workspace.id, after, query.limit + 1],
      {
        limit: query.limit,
        long: ['name'],
      },
    );
    return { status: 200, body: pageOf('invitations', page, (row) => row.id, showInvitation) };
  },
});

const createInvitation = defineRoute({
  method: 'post',
  path: invitations,
  operationId: 'createInvitation',
  tag,
  summary: 'Invite a person',
  description:
    'The answer contains a link, which is shown only once and works once. Whoever opens it makes a passkey or a password and becomes a member with these areas. Nobody can give areas that they do not have.',
  access: 'admin',
  transaction: 'write',
  body: NewInvitation,
  answers: { 201: { description: 'The invitation and its link.', schema: CreatedInvitation } },
  errors: ['proof_needed', 'configuration_full'],
  before: requireProof,
  handle: async (call, tx) => {
    const { ctx, req, body } = call;
    requireInReach(body.expiresAt);
    const made = await invite(tx, call, body, {
      origin: siteOf(ctx.config, req).origin,
      invitationsMax: ctx.config.INVITATIONS_MAX,
    });
    return { status: 201, body: made };
  },
});

const withdraw = defineRoute({
  method: 'delete',
  path: `${invitations}/{id}`,
  operationId: 'withdrawInvitation',
  tag,
  summary: 'Withdraw an invitation or a sign-in link',
  access: 'admin',
  transaction: 'write',
  params: ById,
  answers: { 204: { description: 'The link opens nothing any more.' } },
  errors: ['invitation_not_found'],
  handle: async ({ actor, workspace, params }, tx) => {
    const [row] = await tx.query<InvitationRow>(deleteInvitation, [workspace.id, params.id]);
    if (row === undefined)
      throw new AppError('invitation_not_found', 'There is no open invitation with this id.');
    await recordChange(tx, {
      actor,
      action: 'delete',
      subjectType: row.member_id === null ? 'invitation' : 'signInLink',
      subjectKey: row.member_id ?? row.id,
      before: showInvitation(row),
      after: null,
    });
    return { status: 204 };
  },
});

function requireInReach(expiresAt: string | undefined): void {
  if (expiresAt === undefined) return;
  const days = (Date.parse(expiresAt) - Date.now()) / DAY_MS;
  if (days > 0 && days <= INVITATION_DAYS_MAX) return;
  throw invalidInput([
    {
      pointer: '/expiresAt',
      code: days > 0 ? 'too_late' : 'in_the_past',
      message: `Must lie in the future, at most ${INVITATION_DAYS_MAX} days from now.`,
    },
  ]);
}

export const memberRoutes: readonly AnyRoute[] = [
  list,
  read,
  replace,
  end,
  signInLink,
  listInvitations,
  createInvitation,
  withdraw,
];
