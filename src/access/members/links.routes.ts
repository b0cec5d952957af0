/** The calls of the page behind a link, which is opened by somebody who has nothing but the link. */
import { z } from 'zod';
import type { Area } from '../../areas.ts';
import { inTransaction } from '../../db/transaction.ts';
import { clientAddress } from '../../http/requests/client-address.ts';
import { type AnyRoute, type Call, defineRoute } from '../../http/route.ts';
import { hashKey } from '../key-text.ts';
import { throwNameTaken } from '../persons/me.routes.ts';
import { beginRegistration, checkRegistration } from '../persons/passkeys.ts';
import {
  CeremonyOptions,
  Link,
  LinkAcceptance,
  LinkDescription,
  PersonName,
  PersonSession,
} from '../persons/person.schema.ts';
import {
  beginSession,
  findPerson,
  giveCookie,
  keepSession,
  requireOwnSite,
} from '../persons/person-session.ts';
import { showPersonSession } from '../persons/read-me.ts';
import { countAttempt, countCeremony, SIGN_IN_BYTES_MAX, tag } from '../persons/sign-in.routes.ts';
import { linkSpent, spendLink } from './accept-link.ts';
import { type LinkRow, selectLink } from './member.sql.ts';

const read = defineRoute({
  method: 'post',
  path: '/api/sign-in/link',
  operationId: 'readLink',
  tag,
  summary: 'Read what a link is for',
  description: 'The link is not spent.',
  access: 'public',
  transaction: 'none',
  body: z.strictObject({ link: Link }),
  bodyBytesMax: SIGN_IN_BYTES_MAX,
  answers: { 200: { description: 'The link.', schema: LinkDescription } },
  errors: ['forbidden', 'link_spent', 'rate_limited'],
  handle: async (call) => {
    requireOwnSite(call.req);
    const link = await findLink(call, call.body.link);
    const person = await findPerson(call);
    return {
      status: 200,
      body: {
        kind: link.member_id === null ? 'invitation' : 'signIn',
        workspace: { slug: link.slug, name: link.workspace_name },
        name: link.name,
        areas: link.areas as Area[],
        expiresAt: new Date(link.expires_at).toISOString(),
        signedInAs: person?.name ?? null,
      },
    };
  },
});

const beginPasskey = defineRoute({
  method: 'post',
  path: '/api/sign-in/link/passkey',
  operationId: 'beginPasskeyOfLink',
  tag,
  summary: 'Begin to make the passkey of a new person',
  access: 'public',
  transaction: 'none',
  body: z.strictObject({ link: Link, name: PersonName.optional() }),
  bodyBytesMax: SIGN_IN_BYTES_MAX,
  answers: { 200: { description: 'Options for the browser.', schema: CeremonyOptions } },
  errors: ['forbidden', 'link_spent', 'passkeys_unavailable', 'rate_limited'],
  handle: async (call) => {
    const { ctx, req, body } = call;
    requireOwnSite(req);
    const link = await findLink(call, body.link);
    await countCeremony(call);
    const person = { name: body.name ?? link.name, known: [] };
    return { status: 200, body: await beginRegistration(ctx.db, ctx.config, req, person) };
  },
});

const accept = defineRoute({
  method: 'post',
  path: '/api/sign-in/link/acceptance',
  operationId: 'acceptLink',
  tag,
  summary: 'Accept an invitation, or use a sign-in link',
  description:
    'Spends the link. A new person makes a passkey or a password; a person who is signed in sends neither to join the workspace. A sign-in link replaces the passkeys and the password of its member, and ends the sessions before it.',
  access: 'public',
  transaction: 'none',
  body: LinkAcceptance,
  bodyBytesMax: SIGN_IN_BYTES_MAX,
  answers: { 201: { description: 'The session, and its cookie.', schema: PersonSession } },
  errors: [
    'forbidden',
    'link_spent',
    'already_member',
    'member_name_taken',
    'user_name_taken',
    'member_elsewhere',
    'passkeys_unavailable',
    'passkey_refused',
    'sign_in_expired',
    'way_in_missing',
    'configuration_full',
    'rate_limited',
  ],
  handle: async (call) => {
    const { ctx, req, body, log } = call;
    requireOwnSite(req);
    // Before the work that a passkey or a password takes.
    const { workspace_id: workspaceId } = await findLink(call, body.link);
    const passkey =
      body.passkey === undefined ? null : await checkRegistration(ctx.db, ctx.config, req, body.passkey);
    if (body.password !== undefined) await countCeremony(call);
    const password =
      body.password === undefined
        ? null
        : { userName: body.password.userName, hash: await ctx.passwords.hash(body.password.password) };
    const wayIn = passkey === null && password === null ? null : { passkey, password };
    // A way to sign in belongs to the person of the link, not to somebody who is signed in at this browser.
    const person = wayIn === null ? await findPerson(call) : null;
    const { session, accepted } = await inTransaction(ctx.db, 'instance', async (tx) => {
      const accepted = await spendLink(tx, {
        link: body.link,
        name: body.name,
        wayIn,
        person,
        limits: ctx.config,
      });
      // A person who joins with a session keeps it, because a new session would count as proved and last longer.
      const session =
        person === null ? await beginSession(tx, call, accepted.id) : await keepSession(tx, person);
      return { accepted, session };
    }).catch(throwNameTaken);
    giveCookie(call, session.token, session.workspaces);
    log.info({ workspaceId, personId: accepted.id, by: 'link' }, 'signed in');
    return {
      status: 201,
      body: showPersonSession(accepted, session.workspaces),
      headers: { Location: '/api/me' },
    };
  },
});

/** Returns the link, and counts a guess where there is none. Throws `link_spent` and `rate_limited`. */
async function findLink(call: Pick<Call, 'ctx' | 'req'>, secret: string): Promise<LinkRow> {
  const [link] = await inTransaction(call.ctx.db, 'instance', (tx) =>
    tx.query<LinkRow>(selectLink, [hashKey(secret)]),
  );
  if (link !== undefined && link.ended_at === null) return link;
  await countAttempt(call, clientAddress(call.req));
  throw linkSpent();
}

export const linkRoutes: readonly AnyRoute[] = [read, beginPasskey, accept];
