/** The part of the walk in which persons are invited, sign in, change themselves, and leave. */
import { makeAuthenticator } from '../../setup/authenticator.ts';
import type { TestAnswer } from '../../setup/server.ts';

type Call = (
  operationId: string,
  given?: {
    params?: Record<string, string>;
    headers?: Record<string, string>;
    body?: unknown;
    key?: 'operator' | 'none';
  },
) => Promise<TestAnswer['body']>;

interface Walker {
  show: Call;
  call: Call;
  act(as: { key: string } | { cookie: string }): void;
  cookie(): string;
}

export const PUBLIC_ORIGIN = 'https://partbook.example.com';
const rpId = 'partbook.example.com';
const headers = { 'Sec-Fetch-Site': 'same-origin' };
const open = { key: 'none', headers } as const;

/** Ends as the caller of `key` that it began with. */
export async function letPeopleIn({ show, call, act, cookie }: Walker, key: string): Promise<void> {
  await show('listSignInWays', { key: 'none' });
  const linkOf = ({ url }: { url: string }) => new URL(url).hash.slice(1);
  const invitation = await show('createInvitation', {
    body: { name: 'Anna Berg', areas: ['read', 'engineering', 'configuration'] },
  });
  await show('listInvitations');
  const link = linkOf(invitation);
  await show('readLink', { ...open, body: { link } });
  const authenticator = makeAuthenticator();
  const made = await show('beginPasskeyOfLink', { ...open, body: { link } });
  const { challenge } = made.options;
  const response = authenticator.register({ challenge, origin: PUBLIC_ORIGIN, rpId });
  const anna = await show('acceptLink', {
    ...open,
    body: { link, passkey: { attempt: made.attempt, response } },
  });

  const begun = await show('beginPasskeySignIn', { ...open, body: {} });
  const signed = authenticator.signIn({
    challenge: begun.options.challenge,
    origin: PUBLIC_ORIGIN,
    rpId,
  });
  await show('signInWithPasskey', { ...open, body: { attempt: begun.attempt, response: signed } });
  const first = cookie();
  act({ cookie: first });
  const further = await show('beginMyPasskey', { headers, body: {} });
  const phone = makeAuthenticator().register({
    challenge: further.options.challenge,
    origin: PUBLIC_ORIGIN,
    rpId,
  });
  const me = await show('addMyPasskey', {
    body: { attempt: further.attempt, response: phone, name: 'Phone' },
  });
  await show('renameMyPasskey', { params: { id: me.passkeys[1].id }, body: { name: 'Old phone' } });
  await show('removeMyPasskey', { params: { id: me.passkeys[1].id } });
  await show('setMyPassword', { body: { userName: 'anna.berg', password: 'correct horse battery' } });
  await show('proveMe', { body: { password: 'correct horse battery' } });
  await show('signInWithPassword', {
    ...open,
    body: { userName: 'anna.berg', password: 'correct horse battery' },
  });
  const { sessions } = await show('getMe');
  const other = sessions.find(({ current }: { current: boolean }) => !current);
  await show('endMySession', { params: { id: other.id } });
  await show('renameMe', { body: { name: 'Anna Lind' } });
  await show('renameMe', { body: { name: 'Anna Berg' } });
  const own = await show('createMyApiKey', { body: { name: 'Laptop', areas: ['read', 'engineering'] } });
  await show('listMyApiKeys');
  await show('revokeMyApiKey', { params: { id: own.id } });
  const followed = await show('follow', { body: { importProfile: 'cad' } });
  await show('listSubscriptions');
  await show('unfollow', { params: { id: followed.id } });
  await show('getMyWork');
  await show('listInbox');
  await show('countUnread');
  await show('getInboxMail');
  await show('setInboxMail', { body: { mode: 'none' } });
  await show('confirmInboxMail', { body: { code: '12345678' } });
  await show('markInboxRead', { body: { upTo: '2026-11-20T09:30:00.000Z' } });
  await show('signOutPerson');

  act({ key });
  await show('replaceGroupRules', {
    body: { items: [{ group: 'partbook-engineers', areas: ['read', 'engineering'] }] },
  });
  await show('getGroupRules');
  await show('tryGroupRules', { body: { groups: ['partbook-engineers', 'everybody'] } });
  await show('listMembers');
  const id = anna.workspaces[0].memberId as string;
  const member = await show('getMember', { params: { id } });
  await show('replaceMember', {
    params: { id },
    body: { ...member, areas: ['read', 'stock', 'engineering', 'configuration'] },
  });
  await show('createSignInLink', { params: { id } });
  const unwanted = await call('createInvitation', { body: { name: 'Bo Lund', areas: ['read'] } });
  await show('withdrawInvitation', { params: { id: unwanted.id } });
  await show('endMember', { params: { id } });
}
