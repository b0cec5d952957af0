// Persons who sign in by an OpenID Connect provider: known by issuer and subject, with areas by their groups, and gone when the provider says so.
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkIdentities } from '../../src/access/groups/check-identities.ts';
import { readClaims } from '../../src/access/provider/read-claims.ts';
import { returnAddress } from '../../src/access/provider/return-address.ts';
import { areas } from '../../src/areas.ts';
import {
  type Browser,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from '../setup/identity-provider.ts';
import { startTestServer, type TestServer, type TestWorkspace } from '../setup/server.ts';

const origin = 'https://parts.example.com';
const lines: string[] = [];
const secrets = new Set<string>([CLIENT_SECRET]);
let provider: IdentityProvider;
let server: TestServer;
let workspace: TestWorkspace;
beforeAll(async () => {
  provider = await startIdentityProvider(origin);
  server = await startTestServer({
    environment: {
      TRUST_PROXY: '1',
      PUBLIC_URL: origin,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'partbook',
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Acme',
      OIDC_GROUPS: 'eng, store, buy, adm*',
      OIDC_OPERATOR_GROUP: 'ops',
    },
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  });
  provider.announceTo(server.baseUrl);
  workspace = await server.createWorkspace();
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

let addresses = 0;
const over = (cookie = '') => ({
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-For': `203.0.113.${++addresses % 250}`,
  'Sec-Fetch-Site': 'same-origin',
  ...(cookie === '' ? {} : { Cookie: cookie }),
});
/** Follows no redirect: a test looks where it leads. */
const get = (path: string, cookie = '') =>
  fetch(`${server.baseUrl}${path}`, { redirect: 'manual', headers: over(cookie) });
const cookieOf = (answer: Response, name: string) => {
  const line = answer.headers
    .getSetCookie()
    .find((one) => one.startsWith(`${name}=`) && !one.includes('Max-Age=0'));
  const cookie = line?.split(';')[0] ?? '';
  if (cookie !== '') secrets.add(cookie.split('=')[1] as string);
  return cookie;
};
async function begin(query = '', cookie = '') {
  const answer = await get(`/api/sign-in/provider${query}`, cookie);
  return { to: answer.headers.get('location') ?? '', attempt: cookieOf(answer, '__Secure-partbook_attempt') };
}
async function come(back: URL, attempt: string) {
  for (const name of ['code', 'state']) secrets.add(back.searchParams.get(name) ?? CLIENT_SECRET);
  const answer = await get(back.pathname + back.search, attempt);
  return { to: answer.headers.get('location'), cookie: cookieOf(answer, '__Host-partbook_person') };
}
async function signIn(subject: string, browser: Browser = provider.newBrowser(), query = '', cookie = '') {
  const { to, attempt } = await begin(query, cookie);
  return come(await browser.signIn(to, subject), attempt);
}
const as = (cookie: string, path: string) => server.request(path, { headers: over(cookie) });
const session = (cookie: string, of = workspace) => as(cookie, `${of.path}/session`);
const rule = (items: { group: string; areas: string[] }[], of = workspace) =>
  server.request(`${of.path}/group-rules`, { method: 'PUT', key: of.key, body: { items } });
const check = () =>
  checkIdentities(server.ctx, server.ctx.provider as NonNullable<typeof server.ctx.provider>);
async function asOwner(sql: string) {
  const client = new Client({ connectionString: server.ctx.databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
const makeDue = (subject: string, extra = '') =>
  asOwner(
    `update person_identity set check_at = now() - interval '1 second' ${extra} where subject = '${subject}'`,
  );

test('rules are tried before they are used, name each group once, and give no more than their maker has', async () => {
  expect((await rule([{ group: 'eng', areas: ['engineering'] }])).body.items).toEqual([
    { group: 'eng', areas: ['read', 'engineering'] },
  ]);
  const tryOut = await server.request(`${workspace.path}/group-rules/try`, {
    key: workspace.key,
    body: { groups: ['eng', 'others'] },
  });
  expect(tryOut.body).toEqual({ isMember: true, areas: ['read', 'engineering'], matching: ['eng'] });
  const twice = await rule([
    { group: 'eng', areas: ['read'] },
    { group: 'eng', areas: ['stock'] },
  ]);
  expect([twice.status, twice.body.errors[0].pointer]).toEqual([422, '/items/1/group']);
  const clerk = await workspace.addKey(['read', 'admin']);
  const more = await server.request(`${workspace.path}/group-rules`, {
    method: 'PUT',
    key: clerk,
    body: {
      items: [
        { group: 'eng', areas: ['engineering'] },
        { group: 'buy', areas: ['procurement'] },
      ],
    },
  });
  expect(more.body).toMatchObject({ code: 'area_missing', needed: ['procurement'] });
});

test('a rule is for a group of its maker, or one that the operator allows: nobody counts the people of another group', async () => {
  const own = await server.createWorkspace();
  const refused = await rule(
    [
      { group: 'eng', areas: ['read'] },
      { group: 'board', areas: ['read'] },
    ],
    own,
  );
  expect([refused.status, refused.body.errors]).toMatchObject([
    422,
    [{ pointer: '/items/1/group', code: 'group_not_named' }],
  ]);
  expect((await rule([{ group: 'administrators', areas: [...areas] }], own)).status).toBe(200);
  provider.accounts.set('chair', { name: 'Chair', groups: ['administrators', 'board'] });
  const { cookie } = await signIn('chair');
  const put = (items: object[]) =>
    server.request(`${own.path}/group-rules`, { method: 'PUT', headers: over(cookie), body: { items } });
  const items = [
    { group: 'administrators', areas: [...areas] },
    { group: 'board', areas: ['read'] },
  ];
  expect((await put([...items, { group: 'staff', areas: ['read'] }])).body.errors).toMatchObject([
    { pointer: '/items/2/group', code: 'group_not_named' },
  ]);
  expect((await put(items)).status).toBe(200);
  // A rule that is there may be changed by every administrator.
  expect((await rule([{ group: 'board', areas: ['read', 'stock'] }], own)).status).toBe(200);
});

test('a person of a group becomes a member at the first sign-in, under the name that the provider gives', async () => {
  const ways = await server.request('/api/sign-in');
  expect(ways.body.provider).toEqual({ name: 'Acme' });
  provider.accounts.set('anna-1', { name: 'Anna Berg', email: 'anna@acme.test', groups: ['eng', 'other'] });
  const { to, cookie } = await signIn('anna-1', undefined, '?returnTo=%2Fw%2Fparts%3Fq%3D1');
  expect(to).toBe(`${origin}/w/parts?q=1`);
  expect((await session(cookie)).body).toMatchObject({
    actor: { type: 'member', name: 'Anna Berg' },
    areas: ['read', 'engineering'],
  });
  const me = await as(cookie, '/api/me');
  expect(me.body).toMatchObject({ identities: [{ issuer: provider.issuer }], userName: null, passkeys: [] });

  // Another subject with the same e-mail and name is another person.
  provider.accounts.set('anna-2', { name: 'Anna Berg', email: 'anna@acme.test', groups: ['eng'] });
  const other = await signIn('anna-2');
  expect((await session(other.cookie)).body.actor.name).toBe('Anna Berg (2)');
  // A stranger is known, and is a member of nothing.
  provider.accounts.set('stranger', { name: 'Strange', groups: ['others'] });
  const stranger = await signIn('stranger');
  expect(stranger.to).toBe(`${origin}/?refused=not_a_member`);
  expect(other.to).toBe(`${origin}/w/${workspace.slug}`);
  expect((await as(stranger.cookie, '/api/me')).body).toMatchObject({
    person: { name: 'Strange' },
    workspaces: [],
  });
  expect((await session(stranger.cookie)).status).toBe(403);
});

test('a callback works once, in the browser that began, and only as the provider answered', async () => {
  provider.accounts.set('bo', { name: 'Bo', groups: ['eng'] });
  const refused = (code: string) => ({ to: `${origin}/?refused=${code}`, cookie: '' });
  const one = await begin();
  const back = await provider.newBrowser().signIn(one.to, 'bo');
  const elsewhere = await begin();
  expect(await come(back, '')).toEqual(refused('sign_in_expired'));
  expect(await come(back, elsewhere.attempt)).toEqual(refused('provider_refused'));
  const mixedUp = new URL(back);
  mixedUp.searchParams.set('iss', 'https://evil.test');
  expect(await come(mixedUp, one.attempt)).toEqual(refused('provider_refused'));
  // The refusal has spent the attempt.
  expect(await come(back, one.attempt)).toEqual(refused('sign_in_expired'));
  const cancelled = await begin();
  const state = new URL(cancelled.to).searchParams.get('state') as string;
  const denied = new URL(`${origin}/api/sign-in/callback`);
  denied.search = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer }).toString();
  expect(await come(denied, cancelled.attempt)).toEqual(refused('provider_refused'));
  const two = await begin();
  const again = await provider.newBrowser().signIn(two.to, 'bo');
  expect((await come(again, two.attempt)).cookie).not.toBe('');
  expect(await come(again, two.attempt)).toEqual(refused('sign_in_expired'));
});

test('a workspace that moves keeps nobody from signing in to the others', async () => {
  const moving = await server.createWorkspace();
  expect((await rule([{ group: 'eng', areas: ['stock'] }], moving)).status).toBe(200);
  await asOwner(`update workspace set state = 'moving' where id = '${moving.id}'`);
  provider.accounts.set('mo', { name: 'Mo', groups: ['eng'] });
  const { to, cookie } = await signIn('mo');
  expect(to).toBe(`${origin}/w/${workspace.slug}`);
  expect((await session(cookie)).body.areas).toEqual(['read', 'engineering']);
  await asOwner(`update workspace set state = 'active' where id = '${moving.id}'`);
  const again = await signIn('mo');
  expect((await session(again.cookie, moving)).body.areas).toEqual(['read', 'stock']);
  expect((await rule([], moving)).status).toBe(200);
});

test('an absent group claim changes nothing, an empty one ends the member, and a member managed by hand stays', async () => {
  const account = { name: 'Cy', groups: ['eng'] };
  provider.accounts.set('cy', account);
  const first = await signIn('cy');
  const { id } = (await session(first.cookie)).body.actor;
  provider.accounts.set('cy', { name: 'Cy' });
  const silent = await signIn('cy');
  expect((await session(silent.cookie)).body.areas).toEqual(['read', 'engineering']);
  provider.accounts.set('cy', { ...account, groups: [] });
  const without = await signIn('cy');
  expect((await session(without.cookie)).status).toBe(403);
  provider.accounts.set('cy', account);
  const back = await signIn('cy');
  expect((await session(back.cookie)).body.actor.id).toBe(id);

  const path = `${workspace.path}/members/${id}`;
  const shown = await server.request(path, { key: workspace.key });
  expect(shown.body.managed).toBe('groups');
  await server.request(path, {
    method: 'PUT',
    key: workspace.key,
    body: { ...shown.body, areas: ['read', 'stock'], managed: 'hand' },
  });
  provider.accounts.set('cy', { ...account, groups: [] });
  expect((await session((await signIn('cy')).cookie)).body.areas).toEqual(['read', 'stock']);
  // Whom somebody has ended, groups do not bring back.
  provider.accounts.set('cy', account);
  await server.request(path, { method: 'DELETE', key: workspace.key });
  expect((await session((await signIn('cy')).cookie)).status).toBe(403);
});

test('the group of OIDC_OPERATOR_GROUP makes operators: an absent claim changes nothing, an empty one ends them', async () => {
  const operators = async () =>
    (
      await asOwner(
        `select p.name, o.managed from person_operator o join person p on p.id = o.person_id order by p.name`,
      )
    ).map(({ name, managed }) => `${name} ${managed}`);
  const by = async (subject: string, name: string, groups?: string[]) => {
    provider.accounts.set(subject, groups === undefined ? { name } : { name, groups });
    return (await signIn(subject)).cookie;
  };
  await by('ole', 'Ole', ['eng']);
  expect(await operators()).toEqual([]);
  const ole = await by('ole', 'Ole', ['eng', 'ops']);
  await by('pat', 'Pat', ['ops']);
  expect(await operators()).toEqual(['Ole groups', 'Pat groups']);
  const page = (path: string, cookie: string) =>
    server.request(path, { headers: { ...over(cookie), Accept: 'text/html' } });
  expect((await page('/admin', ole)).text).toContain('Continue as Ole');
  const entered = await fetch(`${server.baseUrl}/admin/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...over(ole), 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'as=person',
  });
  const console = `${ole}; ${entered.headers.getSetCookie().at(-1)?.split(';')[0]}`;
  const list = (await page('/admin/operators', console)).text;
  expect(list).toMatch(/Ole<.*group of the provider<.*Pat<.*group of the provider<.*no workspace</s);
  expect((await page('/admin/actions', console)).text).toContain('Identity provider');
  await by('ole', 'Ole');
  expect(await operators()).toEqual(['Ole groups', 'Pat groups']);
  await makeDue('pat');
  provider.accounts.set('pat', { name: 'Pat', groups: [] });
  await check();
  await by('ole', 'Ole', []);
  expect(await operators()).toEqual([]);
  expect((await page('/admin/operators', console)).status).toBe(401);
  // An operator who was made by hand stays one, whatever the groups are.
  await asOwner(`insert into person_operator (person_id) select id from person where name = 'Ole'`);
  await by('ole', 'Ole', ['ops']);
  await by('ole', 'Ole', []);
  expect(await operators()).toEqual(['Ole hand']);
  await asOwner('delete from person_operator');
  // Whom the provider does not know any more is no operator, however else it can sign in.
  await by('pat', 'Pat', ['ops']);
  expect(await operators()).toEqual(['Pat groups']);
  provider.accounts.delete('pat');
  await makeDue('pat');
  await check();
  expect(await operators()).toEqual([]);
});

test('the last administrator stays, also by claim', async () => {
  const own = await server.createWorkspace();
  const all = ['read', 'stock', 'procurement', 'engineering', 'configuration', 'admin'];
  await rule([{ group: 'admins', areas: all }], own);
  provider.accounts.set('root', { name: 'Root', groups: ['admins'] });
  const { cookie } = await signIn('root');
  const [key] = (await server.request(`${own.path}/api-keys`, { key: own.key })).body.items;
  const revoked = await server.request(`${own.path}/api-keys/${key.id}`, {
    method: 'DELETE',
    headers: over(cookie),
  });
  expect(revoked.status).toBe(204);
  provider.accounts.set('root', { name: 'Root', groups: [] });
  expect((await session((await signIn('root')).cookie, own)).body.areas).toEqual(all);
});

test('a signed-in person connects its account of the provider, which nobody else can take over', async () => {
  const made = await server.request(`${workspace.path}/invitations`, {
    key: workspace.key,
    body: { name: 'Di', areas: ['read'] },
  });
  const link = new URL(made.body.url).hash.slice(1);
  const joined = await fetch(`${server.baseUrl}/api/sign-in/link/acceptance`, {
    method: 'POST',
    headers: { ...over(), 'Content-Type': 'application/json' },
    body: JSON.stringify({ link, password: { userName: 'di', password: 'correct horse battery' } }),
  });
  const own = cookieOf(joined, '__Host-partbook_person');
  provider.accounts.set('di', { name: 'Di of Acme' });
  expect((await signIn('di', undefined, '?connect=true', own)).to).toBe(`${origin}/`);
  expect((await session((await signIn('di')).cookie)).body.actor.name).toBe('Di');
  expect((await signIn('anna-1', undefined, '?connect=true', (await signIn('di')).cookie)).to).toBe(
    `${origin}/?refused=provider_refused`,
  );
  expect((await begin('?connect=true')).to).toBe(`${origin}/?refused=unauthorized`);
});

test('while somebody is signed in the provider is asked again, by one process at a time, and silence is no answer', async () => {
  provider.accounts.set('ed', { name: 'Ed', groups: ['eng'] });
  const { cookie } = await signIn('ed');
  await rule([
    { group: 'eng', areas: ['engineering'] },
    { group: 'store', areas: ['stock'] },
  ]);
  provider.accounts.set('ed', { name: 'Ed', groups: ['store'] });
  const before = provider.state.refreshes;
  await makeDue('ed');
  // The provider rotates refresh tokens: two that ask at once would end both.
  await Promise.all([check(), check()]);
  expect(provider.state.refreshes).toBe(before + 1);
  expect((await session(cookie)).body.areas).toEqual(['read', 'stock']);

  provider.accounts.set('gil', { name: 'Gil' });
  const { to, attempt } = await begin();
  const back = await provider.newBrowser().signIn(to, 'gil');
  provider.state.away = true;
  await makeDue('ed');
  await check();
  expect((await session(cookie)).status).toBe(200);
  expect((await come(back, attempt)).to).toBe(`${origin}/?refused=provider_unavailable`);
  await makeDue('ed', `, answered_at = now() - interval '25 hours'`);
  await check();
  expect((await session(cookie)).status).toBe(401);
  provider.state.away = false;

  const again = await signIn('ed');
  provider.accounts.delete('ed');
  await makeDue('ed');
  await check();
  expect((await session(again.cookie)).status).toBe(401);
});

test('signing out at the provider ends that session and no other, and signing out here leads there', async () => {
  provider.accounts.set('fay', { name: 'Fay', groups: ['eng'] });
  const [home, work] = [provider.newBrowser(), provider.newBrowser()];
  const [first, second] = [await signIn('fay', home), await signIn('fay', work)];
  const third = await signIn('fay', work);
  const out = await server.request('/api/me/session', { method: 'DELETE', headers: over(third.cookie) });
  const url = new URL(out.body.endSessionUrl);
  secrets.add(url.searchParams.get('id_token_hint') as string);
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${origin}/`);
  expect((await session(third.cookie)).status).toBe(401);
  await work.signOut(url.href);
  expect([(await session(second.cookie)).status, (await session(first.cookie)).status]).toEqual([401, 200]);

  const idToken = url.searchParams.get('id_token_hint') as string;
  for (const token of [idToken, 'nonsense', '']) {
    const forged = await fetch(`${server.baseUrl}/api/sign-in/logout`, {
      method: 'POST',
      headers: over(),
      body: new URLSearchParams({ logout_token: token }),
    });
    expect([forged.status, ((await forged.json()) as { code: string }).code]).toEqual([
      400,
      'logout_refused',
    ]);
  }
});

test.each([
  ['/w/a?b=1', `${origin}/w/a?b=1`],
  ['https://evil.test/', `${origin}/`],
  ['//evil.test', `${origin}/`],
  ['/w/../..//evil.test', `${origin}/`],
  ['/\\evil.test', `${origin}/`],
  ['javascript:alert(1)', `${origin}/`],
])('a sign-in that began at %s ends at %s', (from, to) => {
  expect(returnAddress(origin, from)).toBe(to);
});

test('groups that are elsewhere, too many or of another type are no answer', () => {
  const groups = (told: object, idToken = {}) => readClaims(idToken, { ...told }, 'groups').groups;
  expect(groups({ groups: ['a', 1, ''] })).toEqual(['a']);
  expect(groups({ groups: 'a' })).toEqual(['a']);
  expect(groups({}, { groups: ['in the ID token'] })).toEqual(['in the ID token']);
  expect(groups({ _claim_names: { groups: 'src1' } })).toBeNull();
  expect(groups({ hasgroups: true, groups: ['a'] })).toBeNull();
  expect(groups({ groups: Array.from({ length: 1001 }, String) })).toBeNull();
  expect(groups({ groups: { a: true } })).toBeNull();
});

test('the log holds no code, token, secret or claim', async () => {
  const rows = await asOwner('select refresh_token from person_identity where refresh_token is not null');
  for (const { refresh_token: token } of rows) secrets.add(token);
  const log = lines.join('\n');
  expect(log).toContain('signed in');
  for (const secret of secrets) expect(log).not.toContain(secret);
  for (const claim of ['anna@acme.test', 'anna-1']) expect(log).not.toContain(claim);
});
