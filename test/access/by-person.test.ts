// Ledger, history, audit and runs by person: what a member did as itself and with its keys.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AutomatedWorkspace,
  context,
  makeAutomatedWorkspace,
} from '../automation/automated-workspace.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { ownPage, PASSWORD, peopleOf } from './people.ts';

let server: TestServer;
let workspace: AutomatedWorkspace;
beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    environment: { REVOKED_API_KEYS_MAX: '0', TRUST_PROXY: '1', OIDC_GROUPS: 'ours-*' },
  });
  workspace = await makeAutomatedWorkspace(server);
});
afterAll(() => server.close());
const { join, as, byKey, byAdmin, accept, linkOf, cookieOf } = peopleOf(
  () => server,
  () => workspace,
);

async function asOwner(sql: string): Promise<void> {
  const client = new Client({ connectionString: server.ctx.databaseUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

test('a filter by member finds what its keys did, also after they are revoked, and nothing from before a key was given', async () => {
  const everything = ['stock', 'engineering', 'configuration'];
  const rita = await join('Rita', everything);
  const [itemEntityId] = await workspace.addEntities(1);
  const [locationEntityId] = await workspace.addEntities(1, { category: 'location', state: 'Active' });
  const automation = await workspace.automate(context.feature, 'return 1');
  let steps = 0;
  /** One of each: an entry of the ledger, a transition, an entry of the audit, a run. */
  const work = async (send: (path: string, body: object) => Promise<{ status: number; text: string }>) => {
    steps += 1;
    const answers = [
      await send('/stock/adjustments', { itemEntityId, locationEntityId, quantity: 2 ** steps }),
      await send(`/entities/${itemEntityId}/transitions`, {
        toState: steps % 2 === 1 ? 'In Review' : 'In Work',
        note: `step ${steps}`,
      }),
      await send('/property-definitions', { key: `Key${steps}`, name: `Key${steps}`, type: 'text' }),
      await send(`/automations/${automation.id}/trigger`, {}),
    ];
    expect(answers.map(({ status, text }) => (status < 300 ? '' : text)).join('')).toBe('');
    await workspace.runsOf(automation);
    return steps;
  };
  const scanner = await byAdmin('/api-keys', { name: 'Scanner', areas: ['read', ...everything] });
  const { key: scannerKey, ...shown } = scanner.body;
  await work((path, body) => byKey(scannerKey, path, body));
  const own = await as(rita, '/me/api-keys', { name: 'Laptop', areas: ['read', ...everything] });
  await work((path, body) => as(rita, path, body));
  await work((path, body) => byKey(own.body.key, path, body));
  const given = await byAdmin(`/api-keys/${shown.id}`, { ...shown, memberId: rita.memberId }, 'PUT');
  expect(given.status, given.text).toBe(200);
  await work((path, body) => byKey(scannerKey, path, body));
  expect((await as(rita, `/me/api-keys/${own.body.id}`, undefined, 'DELETE')).status).toBe(204);

  const list = async (path: string) => {
    const answer = await byAdmin(path);
    expect([path, answer.status, answer.text]).toEqual([path, 200, answer.text]);
    return answer.body.items;
  };
  const ledger = async (id: string, more = '') =>
    (await list(`/stock/ledger?actorId=${id}${more}`)).map(
      ({ quantity, actor }: { quantity: number; actor: { name: string } }) =>
        `${Math.log2(quantity)} ${actor.name}`,
    );
  expect(await ledger(rita.memberId)).toEqual(['4 Scanner', '3 Rita, Laptop', '2 Rita']);
  const today = '&effectiveFrom=2026-01-01&order=asc';
  expect(await ledger(rita.memberId, today)).toEqual(['2 Rita', '3 Rita, Laptop', '4 Scanner']);
  expect(await ledger(shown.id)).toEqual(['4 Scanner', '1 Scanner']);
  const audit = async (id: string, more: string) =>
    (await list(`/audit?actorId=${id}${more}`)).map(
      ({ subjectKey, actor }: { subjectKey: string; actor: { name: string } }) =>
        `${subjectKey} ${actor.name}`,
    );
  for (const more of ['&subjectType=propertyDefinition', '&action=create&subjectType=propertyDefinition'])
    expect(await audit(rita.memberId, more)).toEqual(['Key4 Scanner', 'Key3 Rita, Laptop', 'Key2 Rita']);
  expect(await audit(rita.memberId, '&subjectKey=Key1')).toEqual([]);
  expect(await audit(shown.id, '&subjectKey=Key1')).toEqual(['Key1 Scanner']);
  const history = async (id: string, more = '') =>
    (await list(`/entities/${itemEntityId}/transitions?actorId=${id}${more}`)).map(
      ({ note, actor }: { note: string; actor: { name: string } }) => `${note} ${actor.name}`,
    );
  expect(await history(rita.memberId)).toEqual(['step 4 Scanner', 'step 3 Rita, Laptop', 'step 2 Rita']);
  const first = await byAdmin(`/entities/${itemEntityId}/transitions?actorId=${rita.memberId}&limit=2`);
  expect(first.body.items.length).toBe(2);
  expect(await history(rita.memberId, `&limit=2&cursor=${first.body.nextCursor}`)).toEqual(['step 2 Rita']);
  const runs = async (path: string) =>
    (await list(path)).map(({ triggeredBy }: { triggeredBy: { name: string } }) => triggeredBy.name);
  for (const path of ['/automation-runs', `/automations/${automation.id}/runs`])
    expect(await runs(`${path}?triggeredBy=${rita.memberId}`)).toEqual(['Scanner', 'Rita, Laptop', 'Rita']);
  const movers = (await list('/stock/ledger/actors')).map(({ name }: { name: string }) => name);
  expect(movers).toEqual(expect.arrayContaining(['Rita', 'Rita, Laptop', 'Scanner']));
  expect((await byAdmin('/stock/ledger/verify')).body).toMatchObject({ ok: true });
});

test('of two keys that are given at once to a member with room for one, one is refused', async () => {
  const max = await join('Max', ['read']);
  const make = async (name: string) => (await byAdmin('/api-keys', { name, areas: ['read'] })).body;
  for (let made = 0; made < 19; made += 1)
    expect((await as(max, '/me/api-keys', { name: `Key ${made}`, areas: ['read'] })).status).toBe(201);
  const keys = [await make('One'), await make('Two')];
  const answers = await Promise.all(
    keys.map(({ key: _key, ...shown }) =>
      byAdmin(`/api-keys/${shown.id}`, { ...shown, memberId: max.memberId }, 'PUT'),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect((await as(max, '/me/api-keys')).body.items).toHaveLength(20);
});

test('without a provider, rules are for groups that the operator has named', async () => {
  const put = (group: string) => byAdmin('/group-rules', { items: [{ group, areas: ['read'] }] }, 'PUT');
  const refused = await put('everybody');
  expect([refused.status, refused.body.errors]).toMatchObject([
    422,
    [{ pointer: '/items/0/group', code: 'group_not_named' }],
  ]);
  expect(refused.body.errors[0].message).toContain('OIDC_GROUPS');
  expect((await put('ours-engineers')).status).toBe(200);
});

test('an operator opens the console as a person, whom actions and the audit trail name, until it is one no more', async () => {
  const olga = await join('Olga <Ops>', ['read']);
  const origin = { Accept: 'text/html', ...ownPage() };
  const page = (path: string, cookie: string, form?: Record<string, string>) =>
    server.request(`/admin${path}`, {
      headers: {
        ...origin,
        Cookie: cookie,
        ...(form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form).toString() }),
    });
  const both = (headers: Headers) => {
    const cookies = headers.getSetCookie().filter((one) => one.startsWith('partbook_operator='));
    return `${olga.cookie}; ${cookies.at(-1)?.split(';')[0]}`;
  };
  const enter = () => page('/sign-in', olga.cookie, { as: 'person' });
  expect((await page('', olga.cookie)).text).not.toContain('Olga');
  expect((await enter()).status).toBe(401);
  const byToken = await page('/sign-in', olga.cookie, { token: server.ctx.operatorToken });
  expect((await page('/operators', both(byToken.headers))).text).toContain(
    'Make Olga &lt;Ops&gt; an operator',
  );
  const made = await page('/operators', both(byToken.headers), {});
  expect([made.status, made.headers.get('location')]).toEqual([303, '/admin/operators']);
  expect((await page('/operators', both(made.headers))).text).toContain(
    'You act as Olga &lt;Ops&gt; (operator).',
  );

  expect((await page('', olga.cookie)).text).toContain('Continue as Olga &lt;Ops&gt;');
  const entered = await enter();
  expect(entered.status).toBe(303);
  const cookie = both(entered.headers);
  const key = await page(`/workspaces/${workspace.slug}/admin-key`, cookie, { name: 'Spare' });
  expect(key.status, key.text).toBe(200);
  const trail = await byAdmin('/audit?subjectType=apiKey&limit=1');
  expect(trail.body.items[0].actor).toMatchObject({ type: 'operator', name: 'Olga <Ops> (operator)' });
  const actions = (await page('/actions', cookie)).text;
  expect(actions).toContain('Olga &lt;Ops&gt; (operator)');
  expect(actions).toContain('operator token');
  // A session that nobody has proved for long opens the console with the password.
  await asOwner(`update person_session set proved_at = now() - interval '1 hour'`);
  const stale = (await page('', olga.cookie)).text;
  expect(stale).toContain('Show your password again');
  expect((await enter()).status).toBe(401);
  const wrong = await page('/sign-in', olga.cookie, { as: 'person', password: 'not the password' });
  expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining('That is not your password.')]);
  expect((await page('/sign-in', olga.cookie, { as: 'person', password: PASSWORD })).status).toBe(303);
  expect((await enter()).status).toBe(303);
  // A page of another site, and a session that nobody has proved for long, open nothing.
  const foreign = await server.request('/admin/sign-in', {
    method: 'POST',
    headers: {
      ...origin,
      'Sec-Fetch-Site': 'same-site',
      'Content-Type': 'application/x-www-form-urlencoded',
      Cookie: olga.cookie,
    },
    body: 'as=person',
  });
  expect(foreign.status).toBe(401);
  await asOwner(`update person_session set proved_at = now() - interval '1 hour'`);
  expect((await enter()).status).toBe(401);
  expect((await page('', olga.cookie)).text).toContain('You signed in too long ago');
  // A session that has ended opens nothing, nor does a sign-in link, which an administrator of the workspace could use.
  expect((await page('/actions', cookie)).status).toBe(200);
  const signOut = await server.request('/api/me/session', {
    method: 'DELETE',
    headers: { ...ownPage(), Cookie: olga.cookie },
  });
  expect(signOut.status).toBeLessThan(300);
  expect((await page('/actions', cookie)).status).toBe(401);
  const link = await byAdmin(`/members/${olga.memberId}/sign-in-links`, {});
  const password = { userName: 'olga', password: 'another good password' };
  const back = await accept({ link: linkOf(link.body.url), password });
  expect(back.status).toBe(201);
  expect((await page('/sign-in', cookieOf(back.headers), { as: 'person' })).status).toBe(401);
});

test('an operator who is a member of nothing any more stays one, and the list of operators says so', async () => {
  const otto = await join('Otto', ['read']);
  await asOwner(`insert into person_operator (person_id) select id from person where name = 'Otto'`);
  const list = async () => (await server.request('/admin/operators', { key: server.ctx.operatorToken })).text;
  expect(await list()).toMatch(/Otto<.*1 workspace</s);
  expect((await byAdmin(`/members/${otto.memberId}`, undefined, 'DELETE')).status).toBe(204);
  expect(await list()).toMatch(/Otto<.*no workspace any more</s);
});

test('a member renames itself, with its session or its key, and the ledger still verifies', async () => {
  const nora = await join('Nora Holm', ['stock', 'engineering']);
  await join('Nora Lind', ['read']);
  const laptop = await as(nora, '/me/api-keys', { name: 'Laptop', areas: ['read', 'stock'] });
  const [itemEntityId] = await workspace.addEntities(1);
  const [locationEntityId] = await workspace.addEntities(1, { category: 'location', state: 'Active' });
  const adjustment = { itemEntityId, locationEntityId, quantity: 1 };
  expect((await as(nora, '/stock/adjustments', adjustment)).status).toBe(201);
  expect((await byKey(laptop.body.key, '/stock/adjustments', adjustment)).status).toBe(201);
  const names = async () =>
    (await byAdmin(`/stock/ledger/by-item/${itemEntityId}`)).body.items.map(
      ({ actor }: { actor: { name: string } }) => actor.name,
    );
  const renamed = await as(nora, '/me', { name: 'Nora Dahl' }, 'PATCH');
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Nora Dahl']);
  expect(await names()).toEqual(['Nora Dahl, Laptop', 'Nora Dahl']);
  const taken = await as(nora, '/me', { name: 'nora lind' }, 'PATCH');
  expect([taken.status, taken.body.code]).toEqual([409, 'member_name_taken']);
  expect((await byAdmin('/me', { name: 'Key' }, 'PATCH')).body.code).toBe('forbidden');
  const reader = await as(nora, '/me/api-keys', { name: 'Reader', areas: ['read'] });
  const refused = await byKey(reader.body.key, '/me', { name: 'Nora Berg' }, 'PATCH');
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  expect((await byKey(laptop.body.key, '/me', { name: 'Nora Berg' }, 'PATCH')).status).toBe(200);
  expect(await names()).toEqual(['Nora Berg, Laptop', 'Nora Berg']);
  const trail = await byAdmin(`/audit?subjectType=member&subjectKey=${nora.memberId}&action=update`);
  expect(trail.body.items.map(({ after }: { after: { name: string } }) => after.name)).toEqual([
    'Nora Berg',
    'Nora Dahl',
  ]);
  const me = await server.request('/api/me', { headers: { ...ownPage(), Cookie: nora.cookie } });
  expect(me.body.person.name).toBe('Nora Berg');
  expect((await byAdmin('/stock/ledger/verify')).body).toMatchObject({ ok: true });
});

test('a person at work was seen within the last minutes', async () => {
  const pia = await join('Pia', ['read']);
  await as(pia, '/session');
  await asOwner(`update membership set seen_at = now() - interval '6 minutes'`);
  await asOwner(`update person_session set used_at = now() - interval '6 minutes'`);
  const before = Date.parse((await byAdmin(`/members/${pia.memberId}`)).body.lastSeenAt);
  await as(pia, '/session');
  const after = Date.parse((await byAdmin(`/members/${pia.memberId}`)).body.lastSeenAt);
  expect(after - before).toBeGreaterThan(5 * 60_000);
  const { body } = await server.request('/api/me', { headers: { ...ownPage(), Cookie: pia.cookie } });
  expect(Date.parse(body.sessions[0].usedAt)).toBeGreaterThan(before + 5 * 60_000);
});

test('what is read together with the look-up of a member is for that member alone, and for nobody from the next request on', async () => {
  const uwe = await join('Uwe', ['read', 'engineering']);
  const vera = await join('Vera', ['read']);
  const elsewhere = await server.createWorkspace();
  const [id] = await workspace.addEntities(1);
  const read = (who: { cookie: string }, of: { slug: string; key: string } = workspace) =>
    as(who, `/entities/${id}`, undefined, undefined, of);
  for (const _ of [1, 2, 3]) expect((await read(uwe)).status).toBe(200);
  const together = await Promise.all([
    read(uwe),
    read(vera),
    read({ cookie: 'partbook_person=x' }),
    read(uwe),
  ]);
  expect(together.map(({ status }) => status)).toEqual([200, 200, 401, 200]);
  expect([
    (await read(uwe, elsewhere)).status,
    (await read(uwe, { slug: 'nowhere', key: '' })).status,
  ]).toEqual([403, 403]);
  expect((await byAdmin(`/members/${uwe.memberId}`, undefined, 'DELETE')).status).toBe(204);
  expect((await read(uwe)).status).toBe(401);
  expect((await read(vera)).status).toBe(200);
  const signOut = { method: 'DELETE', headers: { ...ownPage(), Cookie: vera.cookie } };
  expect((await server.request('/api/me/session', signOut)).status).toBe(200);
  expect((await read(vera)).status).toBe(401);
});

test('a workspace that is unknown looks like one of others, to persons and at every call of one', async () => {
  const stranger = await join('Stranger', ['read']);
  const other = await server.createWorkspace();
  for (const path of ['/session', '/members', '/people', '/me/api-keys', '/entities', '/audit']) {
    const [known, unknown] = await Promise.all(
      [other.slug, 'no-such-workspace'].map((slug) =>
        server.request(`/api/wid/${slug}${path}`, { headers: { ...ownPage(), Cookie: stranger.cookie } }),
      ),
    );
    const comparable = ({ status, body }: { status: number; body: object }) => [
      status,
      JSON.stringify(body)
        .replaceAll(/[0-9a-f-]{36}|no-such-workspace/g, '')
        .replaceAll(other.slug, ''),
    ];
    expect([path, ...comparable(known as never)]).toEqual([path, ...comparable(unknown as never)]);
    expect(known?.status).toBe(403);
  }
});
