// Persons as members: invited, signed in, named by ledger and audit, confined to their areas, and gone when they leave.
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { areas } from '../../src/areas.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { startTestServer, type TestServer, type TestWorkspace } from '../setup/server.ts';
import { ownPage, PASSWORD, peopleOf } from './people.ts';

const lines: string[] = [];
const secrets: string[] = [];
let server: TestServer;
let workspace: TestWorkspace;
beforeAll(async () => {
  server = await startTestServer({
    environment: {
      TRUST_PROXY: '1',
      PUBLIC_URL: 'https://parts.example.com/',
      // Revoked keys leave no row behind.
      REVOKED_API_KEYS_MAX: '0',
    },
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  });
  workspace = await server.createWorkspace();
});
afterAll(() => server.close());

const { invite, linkOf, accept, cookieOf, join, as, byAdmin } = peopleOf(
  () => server,
  () => workspace,
  secrets,
);

test('an invited engineer signs in and works, and history and audit name her, also after a rename', async () => {
  const anna = await join('Anna Berg', ['engineering', 'configuration']);
  const session = await as(anna, '/session');
  expect(session.body).toMatchObject({
    actor: { type: 'member', id: anna.memberId, name: 'Anna Berg' },
    areas: ['read', 'engineering', 'configuration'],
    keyId: null,
    permission: 'read',
  });
  const made = await as(anna, '/property-definitions', { key: 'Mass', name: 'Mass', type: 'numeric' });
  expect([made.status, made.text]).toEqual([201, made.text]);
  const trail = async () => (await byAdmin('/audit?subjectType=propertyDefinition')).body.items[0].actor;
  expect(await trail()).toEqual({ type: 'member', id: anna.memberId, name: 'Anna Berg' });

  const before = await byAdmin(`/members/${anna.memberId}`);
  const renamed = await byAdmin(`/members/${anna.memberId}`, { ...before.body, name: 'Anna Lind' }, 'PUT');
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Anna Lind']);
  expect(await trail()).toEqual({ type: 'member', id: anna.memberId, name: 'Anna Lind' });
});

test('the ledger names the person, and verifies after a rename', async () => {
  const made = await server.request('/api/workspaces', {
    key: server.ctx.operatorToken,
    body: { slug: 'stores', name: 'Stores' },
  });
  const stores = { ...workspace, slug: 'stores', path: '/api/wid/stores', key: made.body.apiKey.key };
  const eva = await join('Eva Holm', ['stock', 'engineering'], stores);
  const make = async (category: string) =>
    (await as(eva, '/entities', { category, name: category }, 'POST', stores)).body.id as string;
  const [itemEntityId, locationEntityId] = [await make('part'), await make('location')];
  const adjusted = await as(
    eva,
    '/stock/adjustments',
    { itemEntityId, locationEntityId, quantity: 5 },
    'POST',
    stores,
  );
  expect([adjusted.status, adjusted.text]).toEqual([201, adjusted.text]);
  const byKey = (path: string, body?: object, method?: string) =>
    server.request(`${stores.path}${path}`, {
      key: stores.key,
      ...(body === undefined ? {} : { body }),
      ...(method === undefined ? {} : { method }),
    });
  const member = await byKey(`/members/${eva.memberId}`);
  await byKey(`/members/${eva.memberId}`, { ...member.body, name: 'Eva Dahl' }, 'PUT');
  const ledger = await byKey('/stock/ledger');
  const [entry] = ledger.body.items;
  expect(entry.actor ?? entry).toMatchObject({ type: 'member', id: eva.memberId, name: 'Eva Dahl' });
  expect((await byKey('/stock/ledger/verify')).body).toMatchObject({ ok: true });
  const history = await byKey(`/entities/${itemEntityId}/revisions`);
  expect(history.body.items[0].createdBy).toMatchObject({ type: 'member', name: 'Eva Dahl' });
});

test('a link is read without being spent, works once, and one that never was looks like one that was used', async () => {
  const made = await invite('Once', ['read']);
  expect(made.body.url).toMatch(/^https:\/\/parts\.example\.com\/join#[\w-]{43}$/);
  const link = linkOf(made.body.url);
  const read = () => server.request('/api/sign-in/link', { body: { link }, headers: ownPage() });
  for (const time of [1, 2])
    expect([time, (await read()).body]).toMatchObject([
      time,
      { kind: 'invitation', name: 'Once', workspace: { slug: workspace.slug } },
    ]);
  const password = { userName: 'once', password: PASSWORD };
  expect((await accept({ link })).body.code).toBe('way_in_missing');
  expect((await accept({ link, password })).status).toBe(201);
  const again = await accept({ link, password: { ...password, userName: 'twice' } });
  const never = await accept({ link: 'A'.repeat(43), password });
  expect([again.body.code, never.body.code]).toEqual(['link_spent', 'link_spent']);
  expect(again.body.detail).toBe(never.body.detail);

  const withdrawn = await invite('Nobody', ['read']);
  expect((await byAdmin(`/invitations/${withdrawn.body.id}`, undefined, 'DELETE')).status).toBe(204);
  expect((await accept({ link: linkOf(withdrawn.body.url), password })).body.code).toBe('link_spent');
  const late = await invite('Late', ['read'], workspace, {
    expiresAt: new Date(Date.now() - 1).toISOString(),
  });
  expect(late.status).toBe(422);
});

test('a page of another site neither accepts a link nor signs anybody in, and its calls have no session', async () => {
  const person = await join('Cross', ['read']);
  const foreign = { 'Sec-Fetch-Site': 'cross-site' };
  expect((await accept({ link: 'x' }, foreign)).status).toBe(403);
  const signIn = await server.request('/api/sign-in/password', {
    body: { userName: person.userName, password: PASSWORD },
    headers: { ...ownPage(), ...foreign },
  });
  expect(signIn.status).toBe(403);
  const call = await server.request(`${workspace.path}/session`, {
    headers: { Cookie: person.cookie, ...foreign },
  });
  expect(call.status).toBe(401);
});

test('one sign-in opens the workspaces of the person, and no others: an unknown one looks like a foreign one', async () => {
  const other = await server.createWorkspace();
  const person = await join('Two Places', ['read']);
  const foreign = await as(person, '/session', undefined, 'GET', other);
  const unknown = await server.request('/api/wid/no-such-place/session', {
    headers: { ...ownPage(), Cookie: person.cookie },
  });
  expect([foreign.status, unknown.status]).toEqual([403, 403]);
  expect(foreign.body.detail).toBe(unknown.body.detail);

  // Signed in, the person joins without another password.
  const made = await invite('Two Places', ['stock'], other);
  const joined = await accept({ link: linkOf(made.body.url) }, { Cookie: person.cookie });
  expect(joined.status).toBe(201);
  const now = { ...person, cookie: cookieOf(joined.headers) };
  expect((await as(now, '/session')).body.areas).toEqual(['read']);
  expect((await as(now, '/session', undefined, 'GET', other)).body.areas).toEqual(['read', 'stock']);
  expect(now.cookie, 'the session stays as it is').toBe(person.cookie);

  // An administrator of one workspace cannot reach the other through a sign-in link.
  const link = await byAdmin(`/members/${person.memberId}/sign-in-links`, {});
  expect(link.body.code).toBe('member_elsewhere');
});

test('a member does what its areas allow, from the next request on, and hands on no more than it has', async () => {
  const bo = await join('Bo', ['read', 'admin']);
  expect((await as(bo, '/invitations', { name: 'Stronger', areas: ['stock'] })).body).toMatchObject({
    code: 'area_missing',
    needed: ['stock'],
  });
  const own = await byAdmin(`/members/${bo.memberId}`);
  const wanted = { ...own.body, areas: ['read', 'admin', 'engineering'] };
  expect((await as(bo, `/members/${bo.memberId}`, wanted, 'PUT')).body.code).toBe('area_missing');
  const open = await as(bo, '/invitations', { name: 'Open', areas: ['read'] });
  expect(open.status).toBe(201);

  expect((await byAdmin(`/members/${bo.memberId}`, { ...own.body, areas: ['read'] }, 'PUT')).status).toBe(
    200,
  );
  expect((await as(bo, '/members')).body.code).toBe('area_missing');
  // What was invited by somebody who may not invite any more lets nobody in.
  const late = await accept({
    link: linkOf(open.body.url),
    password: { userName: 'late', password: PASSWORD },
  });
  expect(late.body.code).toBe('link_spent');
});

test('a link opens nothing once its maker could not make it any more', async () => {
  const makeKey = async (extra: object = {}) =>
    (await byAdmin('/api-keys', { name: 'Inviting', areas: ['read', 'stock', 'admin'], ...extra })).body;
  const linkBy = async (key: string, path: string, body: object) => {
    const made = await server.request(`${workspace.path}${path}`, { key, body });
    expect(made.status).toBe(201);
    return linkOf(made.body.url);
  };
  const inviteBy = (key: string) => linkBy(key, '/invitations', { name: 'Invited', areas: ['stock'] });
  const codeOf = async (link: string) =>
    (await server.request('/api/sign-in/link', { body: { link }, headers: ownPage() })).body.code;
  const [weak, revoked, signIn] = await Promise.all([makeKey(), makeKey(), makeKey()]);
  const [ofWeak, ofRevoked] = [await inviteBy(weak.key), await inviteBy(revoked.key)];
  expect([await codeOf(ofWeak), await codeOf(ofRevoked)]).toEqual([undefined, undefined]);
  const { name, expiresAt } = weak;
  await byAdmin(`/api-keys/${weak.id}`, { name, expiresAt, areas: ['read', 'admin'] }, 'PUT');
  await byAdmin(`/api-keys/${revoked.id}`, undefined, 'DELETE');
  expect([await codeOf(ofWeak), await codeOf(ofRevoked)]).toEqual(['link_spent', 'link_spent']);

  // A member who has been given more areas since is not opened by somebody who lacks them.
  const grown = await join('Grown', ['stock']);
  const link = await linkBy(signIn.key, `/members/${grown.memberId}/sign-in-links`, {});
  expect(await codeOf(link)).toBeUndefined();
  const present = (await byAdmin(`/members/${grown.memberId}`)).body;
  await byAdmin(`/members/${grown.memberId}`, { ...present, areas: ['read', 'engineering', 'admin'] }, 'PUT');
  expect(await codeOf(link)).toBe('link_spent');
});

test('the key of a member is named after it, never does more than the member, and ends with it', async () => {
  const cy = await join('Cy', ['engineering', 'configuration']);
  const strong = await as(cy, '/me/api-keys', { name: 'Strong', areas: ['admin'] });
  expect(strong.body.code).toBe('area_missing');
  const made = await as(cy, '/me/api-keys', { name: 'Laptop', areas: ['configuration'] });
  expect([made.status, made.body.name]).toEqual([201, 'Cy, Laptop']);
  const { key, id } = made.body;
  secrets.push(key);
  const byKey = (path: string, body?: object) =>
    server.request(`${workspace.path}${path}`, { key, ...(body === undefined ? {} : { body }) });
  expect((await byKey('/session')).body.areas).toEqual(['read', 'configuration']);
  expect((await byKey('/me/api-keys', { name: 'More', areas: ['read'] })).status).toBe(403);
  const second = await as(cy, '/me/api-keys', { name: 'Phone', areas: ['read'] });
  expect((await as(cy, `/me/api-keys/${second.body.id}`, undefined, 'DELETE')).status).toBe(204);
  const left = await as(cy, '/me/api-keys');
  expect(left.body.items.map((one: { id: string }) => one.id)).toEqual([id]);
  const present = await byAdmin(`/api-keys/${id}`);
  const stronger = await byAdmin(`/api-keys/${id}`, { ...present.body, permission: 'admin' }, 'PUT');
  expect(stronger.body.code).toBe('area_missing');

  const own = await byAdmin(`/members/${cy.memberId}`);
  await byAdmin(`/members/${cy.memberId}`, { ...own.body, name: 'Cy Young', areas: ['engineering'] }, 'PUT');
  expect((await byKey('/session')).body).toMatchObject({ areas: ['read'], keyName: 'Cy Young, Laptop' });

  expect((await byAdmin(`/members/${cy.memberId}`, undefined, 'DELETE')).status).toBe(204);
  expect([(await byKey('/session')).status, (await as(cy, '/session')).status]).toEqual([401, 401]);
  const ended = await byAdmin(`/members/${cy.memberId}`);
  expect([ended.body.endedAt, ended.body.name]).toEqual([expect.any(String), 'Cy Young']);
  expect((await byAdmin(`/members/${cy.memberId}/sign-in-links`, {})).body.code).toBe('member_ended');

  // Whoever comes back is the same member.
  const signIn = await server.request('/api/sign-in/password', {
    body: { userName: cy.userName, password: PASSWORD },
    headers: ownPage(),
  });
  expect([signIn.status, signIn.body.workspaces]).toEqual([201, []]);
  const back = await invite('Cy Young', ['read']);
  const joined = await accept({ link: linkOf(back.body.url) }, { Cookie: cookieOf(signIn.headers) });
  expect(joined.body.workspaces[0].memberId).toBe(cy.memberId);
  expect((await byKey('/session')).status).toBe(401);
});

test('nobody takes the name of an active member', async () => {
  await join('Only One', ['read']);
  const made = await invite('only one', ['read']);
  const password = { userName: 'impostor', password: PASSWORD };
  const link = linkOf(made.body.url);
  expect((await accept({ link, password })).body.code).toBe('member_name_taken');
  // Nor with characters that nobody sees.
  const hidden = await accept({ link, name: 'Only\u200b\u00a0One', password });
  expect(hidden.body.code).toBe('member_name_taken');
  // The refusal spent nothing.
  expect((await accept({ link, name: 'Another One', password })).status).toBe(201);
});

test('the last administrator stays, also where two end each other at once', async () => {
  const own = await server.createWorkspace();
  const [one, two] = [await join('One', [...areas], own), await join('Two', [...areas], own)];
  // Who can give only some areas does not stand in for somebody with all of them.
  await join('Clerk', ['admin'], own);
  const [keys] = [await server.request(`${own.path}/api-keys`, { key: own.key })];
  const adminKey = keys?.body.items[0].id as string;
  const revoked = await as(one, `/api-keys/${adminKey}`, undefined, 'DELETE', own);
  expect(revoked.status).toBe(204);
  const both = await Promise.all([
    as(one, `/members/${two.memberId}`, undefined, 'DELETE', own),
    as(two, `/members/${one.memberId}`, undefined, 'DELETE', own),
  ]);
  // The second is refused as the last one, or has ended before it could ask.
  const statuses = both.map(({ status }) => status).sort();
  expect(statuses[0]).toBe(204);
  expect([401, 403, 409]).toContain(statuses[1]);
  const rest = both[0].status === 204 ? one : two;
  const self = await as(rest, `/members/${rest.memberId}`, undefined, 'DELETE', own);
  expect(self.body.code).toBe('last_admin');
  const shown = await as(rest, `/members/${rest.memberId}`, undefined, 'GET', own);
  const weaker = await as(rest, `/members/${rest.memberId}`, { ...shown.body, areas: ['read'] }, 'PUT', own);
  expect(weaker.body.code).toBe('last_admin');
});

test('a sign-in link gives a new way in, and what was before opens nothing any more', async () => {
  const di = await join('Di', ['read']);
  const made = await byAdmin(`/members/${di.memberId}/sign-in-links`, {});
  const link = linkOf(made.body.url);
  const described = await server.request('/api/sign-in/link', { body: { link }, headers: ownPage() });
  expect(described.body).toMatchObject({ kind: 'signIn', name: 'Di' });
  const password = { userName: 'di-again', password: 'another long password' };
  const answer = await accept({ link, password });
  expect([answer.status, answer.body.workspaces[0].memberId]).toEqual([201, di.memberId]);
  expect((await as(di, '/session')).status).toBe(401);
  const old = await server.request('/api/sign-in/password', {
    body: { userName: di.userName, password: PASSWORD },
    headers: ownPage(),
  });
  expect(old.status).toBe(401);
});

test('passwords: one answer for a wrong one and an unknown name, and a change ends other sessions', async () => {
  const { cookie, userName } = await join('Ed', ['read']);
  const signIn = (name: string, password: string) =>
    server.request('/api/sign-in/password', { body: { userName: name, password }, headers: ownPage() });
  const [wrong, unknown] = [await signIn(userName, 'wrong'), await signIn('nobody-at-all', 'wrong')];
  expect([wrong.status, unknown.status, wrong.body.detail]).toEqual([401, 401, unknown.body.detail]);

  const second = cookieOf((await signIn(userName.toUpperCase(), PASSWORD)).headers);
  const me = (shown: string) => server.request('/api/me', { headers: { ...ownPage(), Cookie: shown } });
  expect((await me(second)).body.sessions).toHaveLength(2);
  const change = (name: string, password: string) =>
    server.request('/api/me/password', {
      method: 'PUT',
      body: { userName: name, password },
      headers: { ...ownPage(), Cookie: second },
    });
  expect((await change(userName, 'short')).status).toBe(422);
  expect((await change('impostor', PASSWORD)).body.code).toBe('user_name_taken');
  expect((await change(userName, 'a new long password')).status).toBe(200);
  expect([(await me(cookie)).status, (await me(second)).status]).toEqual([401, 200]);

  const out = await server.request('/api/me/session', {
    method: 'DELETE',
    headers: { ...ownPage(), Cookie: second },
  });
  expect([out.status, out.body, (await me(second)).status]).toEqual([200, { endSessionUrl: null }, 401]);
});

test('wrong passwords lock out their address, not the name elsewhere, and no success makes room for more', async () => {
  const limited = await startTestServer({
    environment: {
      TRUST_PROXY: '1',
      SIGN_IN_ATTEMPTS: '3',
      SIGN_IN_ATTEMPTS_BY_NAME: '6',
      MEMBERS_MAX: '2',
      RATE_LIMIT_PATIENCE_MS: '60000',
    },
  });
  try {
    const place = await limited.createWorkspace();
    const letIn = async (name: string) => {
      const made = await limited.request(`${place.path}/invitations`, {
        key: place.key,
        body: { name, areas: ['read'] },
      });
      const link = linkOf(made.body.url);
      const body = { link, password: { userName: name, password: PASSWORD } };
      return limited.request('/api/sign-in/link/acceptance', { body, headers: ownPage() });
    };
    await letIn('target');
    await letIn('insider');
    const full = await letIn('third');
    expect([full.body.code, full.body.limit]).toEqual(['configuration_full', 2]);
    const signIn = async (address: string, userName: string, password: string) =>
      (
        await limited.request('/api/sign-in/password', {
          body: { userName, password },
          headers: { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': address },
        })
      ).status;
    const [near, far, further] = ['198.51.100.1', '198.51.100.2', '198.51.100.3'];
    expect([await signIn(near, 'target', 'wrong 1'), await signIn(near, 'target', 'wrong 2')]).toEqual([
      401, 401,
    ]);
    expect(await signIn(near, 'insider', PASSWORD)).toBe(201);
    expect([await signIn(near, 'target', 'wrong 3'), await signIn(near, 'target', 'wrong 4')]).toEqual([
      401, 429,
    ]);
    // The limited address is refused before the name is counted, and the person signs in elsewhere.
    for (let time = 0; time < 5; time++) expect(await signIn(far, 'target', PASSWORD)).toBe(201);
    // Six wrong ones from several addresses are the limit of the name.
    for (const wrong of ['4', '5', '6']) expect(await signIn(far, 'target', wrong)).toBe(401);
    expect(await signIn(further, 'target', PASSWORD)).toBe(429);
    expect(await signIn(further, 'insider', PASSWORD)).toBe(201);
  } finally {
    await limited.close();
  }
});

/** Moves a time of the newest session of a person, or of a key, into the past. */
async function age(column: string, by: string, table: 'person_session' | 'web_session' = 'person_session') {
  const client = new Client({ connectionString: server.ctx.databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `update ${table} set ${column} = now() - interval '${by}'
     where token_hash in (select token_hash from ${table} order by created_at desc limit 1) returning *`,
  );
  await client.end();
  return rows;
}

test('an old session changes no way to sign in without a proof, and ends however much it is used', async () => {
  const person = await join('Hal', ['read']);
  const own = { ...ownPage(), Cookie: person.cookie };
  const change = (password: string) =>
    server.request('/api/me/password', {
      method: 'PUT',
      body: { userName: person.userName, password },
      headers: own,
    });
  const prove = (password: string) => server.request('/api/me/proof', { body: { password }, headers: own });
  await age('proved_at', '11 minutes');
  expect((await change('a stolen session’s one')).body.code).toBe('proof_needed');
  const passkey = await server.request('/api/me/passkeys/options', { body: {}, headers: own });
  expect(passkey.body.code).toBe('proof_needed');
  expect((await prove('wrong')).status).toBe(401);
  expect((await change('a stolen session’s one')).body.code).toBe('proof_needed');
  // Who joins another workspace with a session proves nothing by it.
  const other = await server.createWorkspace();
  const invited = await invite('Hal', ['read'], other);
  const joined = await accept({ link: linkOf(invited.body.url) }, { Cookie: person.cookie });
  expect(joined.status).toBe(201);
  own.Cookie = cookieOf(joined.headers);
  expect((await as({ ...person, cookie: own.Cookie }, '/session', undefined, 'GET', other)).status).toBe(200);
  expect((await change('a stolen session’s one')).body.code).toBe('proof_needed');
  expect((await prove(PASSWORD)).status).toBe(204);
  expect((await change('another long password')).status).toBe(200);

  // Due to be prolonged, but at its end.
  await age('ends_at', '-1 hour');
  await age('expires_at', '-1 minute');
  expect((await as(person, '/session')).status).toBe(200);
  const [kept] = await age('used_at', '0 seconds');
  expect(kept.expires_at).toEqual(kept.ends_at);
});

test('an old session of a person or a key gives access to nobody without a proof; a key itself does', async () => {
  const admin = await join('Ida', [...areas]);
  const guest = await join('Jon', ['read']);
  const rules = await byAdmin('/group-rules');
  const key = await byAdmin('/api-keys', { name: 'Old', permission: 'read' });
  const member = await byAdmin(`/members/${guest.memberId}`);
  const grants: [path: string, body: object | undefined, method: string][] = [
    ['/api-keys', { name: 'Robot', permission: 'read' }, 'POST'],
    [`/api-keys/${key.body.id}`, { name: 'Old', areas: ['read', 'admin'], expiresAt: null }, 'PUT'],
    ['/invitations', { name: 'Kim', areas: ['read'] }, 'POST'],
    [`/members/${guest.memberId}/sign-in-links`, undefined, 'POST'],
    [`/members/${guest.memberId}`, { ...member.body, areas: ['read', 'admin'] }, 'PUT'],
    ['/group-rules', rules.body, 'PUT'],
    ['/csv-links', { name: 'Parts', table: { of: 'entities' } }, 'POST'],
    ['/webhooks', { url: 'https://example.com/hook', events: ['entity.created'] }, 'POST'],
    ['/automations', { name: 'Later', contextTypeId: 3, script: 'return 1' }, 'POST'],
  ];
  const answers = async (headers: Record<string, string>, also: typeof grants = []) => {
    const codes = [];
    for (const [path, body, method] of [...grants, ...also]) {
      const answer = await server.request(`${workspace.path}${path}`, {
        method,
        ...(body === undefined ? {} : { body }),
        headers: { ...ownPage(), ...headers },
      });
      codes.push(answer.body.code ?? answer.status);
    }
    return codes;
  };
  const own: typeof grants = [['/me/api-keys', { name: 'Laptop', areas: ['read'] }, 'POST']];
  const opened = await server.request('/api/sign-in/password', {
    body: { userName: admin.userName, password: PASSWORD },
    headers: ownPage(),
  });
  const cookie = { Cookie: cookieOf(opened.headers) };
  await age('proved_at', '11 minutes');
  expect(await answers(cookie, own)).toEqual(Array(10).fill('proof_needed'));
  const proof = { body: { password: PASSWORD }, headers: { ...ownPage(), ...cookie } };
  expect((await server.request('/api/me/proof', proof)).status).toBe(204);
  expect(await answers(cookie, own)).toEqual([201, 200, 201, 201, 200, 200, 201, 201, 201, 201]);

  const byKey = await server.request('/api/sessions', { body: { key: workspace.key }, headers: ownPage() });
  const keyCookie = { Cookie: byKey.headers.get('set-cookie')?.split(';')[0] ?? '' };
  await age('created_at', '11 minutes', 'web_session');
  expect(await answers(keyCookie)).toEqual(Array(9).fill('proof_needed'));
  const shown = { Authorization: `Bearer ${workspace.key}` };
  expect(await answers(shown)).toEqual([201, 200, 201, 201, 200, 200, 201, 201, 201]);
});

test('a key that belongs to nobody is given to a member, does no more than it, and ends with it', async () => {
  const lea = await join('Lea', ['read', 'stock']);
  const made = await byAdmin('/api-keys', { name: 'Scanner', areas: ['read', 'stock', 'engineering'] });
  const { key, ...shown } = made.body;
  const give = (body: object) => byAdmin(`/api-keys/${shown.id}`, { ...shown, ...body }, 'PUT');
  const refused = async (body: object) => (await give(body)).body.errors[0];
  expect(await refused({ memberId: lea.memberId })).toMatchObject({
    pointer: '/memberId',
    code: 'area_missing',
  });
  expect(await refused({ memberId: shown.id })).toMatchObject({ code: 'member_not_found' });
  const narrow = { permission: 'read', areas: ['read', 'stock'], memberId: lea.memberId };
  const given = await give(narrow);
  expect([given.status, given.body]).toMatchObject([200, { memberId: lea.memberId }]);
  expect(given.headers.get('etag')).not.toBe(made.headers.get('etag'));
  expect(await refused({ ...narrow, memberId: null })).toMatchObject({ code: 'key_is_taken' });
  expect((await as(lea, '/me/api-keys')).body.items).toMatchObject([{ id: shown.id, name: 'Scanner' }]);
  const call = () => server.request(`${workspace.path}/session`, { key });
  expect((await call()).body.areas).toEqual(['read', 'stock']);
  const member = await byAdmin(`/members/${lea.memberId}`);
  await byAdmin(`/members/${lea.memberId}`, { ...member.body, areas: ['read'] }, 'PUT');
  expect((await call()).body.areas).toEqual(['read']);
  await byAdmin(`/members/${lea.memberId}`, undefined, 'DELETE');
  expect((await call()).status).toBe(401);
});

test('over TLS the cookie belongs to the host alone', async () => {
  const made = await invite('Tess', ['read']);
  const answer = await accept(
    { link: linkOf(made.body.url), password: { userName: 'tess', password: PASSWORD } },
    { 'X-Forwarded-Proto': 'https' },
  );
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-partbook_person=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure/,
  );
});

test('the roles of the service may not read persons, and a workspace sees its own members alone', async () => {
  const other = await server.createWorkspace();
  await join('Elsewhere', ['read'], other);
  const read = (sql: string) =>
    inTransaction(server.ctx.db, { workspaceId: workspace.id }, (tx) => tx.query<{ name: string }>(sql));
  for (const table of ['person', 'passkey', 'person_password', 'person_session', 'sign_in_attempt']) {
    await expect(read(`select * from ${table}`)).rejects.toThrow(/permission denied/);
    await expect(
      inTransaction(server.ctx.db, 'instance', (tx) => tx.query(`select * from ${table}`)),
    ).rejects.toThrow(/permission denied/);
  }
  expect((await read('select name from member')).map(({ name }) => name)).not.toContain('Elsewhere');
  const shown = await byAdmin('/members');
  for (const one of shown.body.items) expect(Object.keys(one)).not.toContain('passkeys');
});

test('the log holds no password, link, key or token', () => {
  const log = lines.join('\n');
  expect(log).toContain('signed in');
  for (const secret of [PASSWORD, ...secrets.filter((one) => one !== '')]) expect(log).not.toContain(secret);
});
