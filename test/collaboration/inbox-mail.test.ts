// Mails of inboxes: to whom they go, how they are stopped, and what waits for what. The tests mostly wait for mails to be sent, so they run side by side.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recordEvents } from '../../src/events/record-events.ts';
import { type MailServer, openMailServer } from '../automation/built-in/mail-server.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { allTold as allToldIn, change, follow, join as joinAs, type Person } from './people-here.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let mails: MailServer;
beforeAll(async () => {
  mails = await openMailServer();
  server = await startTestServer({
    worker: true,
    environment: {
      INBOX_MAIL_SPACING_SECONDS: '0',
      SMTP_URL: mails.url,
      SMTP_FROM: 'partbook@example.com',
      PUBLIC_URL: 'https://parts.example.com',
    },
  });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(async () => {
  await server.close();
  await mails.close();
});
const join = (name: string) => joinAs(server, workspace, name);
const allTold = () => allToldIn(workspace);
const mailsTo = (address: string) => mails.received.filter(({ to }) => to.includes(address));

test.concurrent('an inbox is mailed at once to a confirmed address, without texts of comments, until the member stops it', async () => {
  const [anna, bo] = [await join('Anna Mail'), await join('Bo\tMail')];
  const [part = ''] = await workspace.addEntities(1);
  await workspace.transact((tx) =>
    tx.query(`update entity set number = $3 where workspace_id = $1 and id = $2`, [
      workspace.id,
      part,
      'M-1\r\nBcc: all@example.com',
    ]),
  );
  await follow(anna, { entity: part });
  const set = (body: object) => anna.ask('POST', '/me/inbox/mail', body);
  expect((await set({ mode: 'atOnce' })).body.code).toBe('validation_failed');
  expect((await set({ mode: 'atOnce', address: 'a@example.com\r\nBcc: b@example.com' })).status).toBe(422);
  const wanted = { mode: 'atOnce', address: 'anna@example.com' };
  expect((await set(wanted)).body).toMatchObject({ ...wanted, confirmed: false, isAvailable: true });
  expect((await set({ ...wanted, address: 'other@example.com' })).body.code).toBe('too_many_mails');
  await vi.waitUntil(() => mailsTo('anna@example.com').length === 1, patience);
  const code = /^\d{8}$/m.exec(mailsTo('anna@example.com')[0]?.text.replaceAll('\r', '') ?? '')?.[0] ?? '';
  const confirm = async (text: string) =>
    (await anna.ask('POST', '/me/inbox/mail/confirmation', { code: text })).body.confirmed;
  const comment = (text: string) => bo.ask('POST', '/comments', { entity: part, text });
  await comment('Before the address is confirmed.');
  await allTold();
  expect(await confirm(code === '00000000' ? '11111111' : '00000000')).toBe(false);
  expect(await confirm(code)).toBe(true);
  await comment('A secret text');
  await vi.waitUntil(() => mailsTo('anna@example.com').length === 2, patience);
  const [, mail] = mailsTo('anna@example.com');
  expect(mail?.to).toEqual(['anna@example.com']);
  expect(mail?.subject).toContain('new comments');
  expect(stopLinkOf(mail?.text)).toMatch(/^https:\/\/parts\.example\.com\/api\/unsubscribe\/[\w-]{64}$/);
  expect(mail?.text).not.toContain('secret');
  expect(mail?.text).not.toMatch(/^Bcc:/m);
  // An event of a transaction that takes long is older than what was mailed before its commit.
  await workspace.transact(async (tx) => {
    await tx.query('select 1');
    await comment('During the transaction');
    await vi.waitUntil(async () => {
      await tx.query('select 1');
      return mailsTo('anna@example.com').length === 3;
    }, patience);
    const event = { entityId: part, changes: [{ property: 'Mass', from: 1, to: 2 }] };
    await recordEvents(tx, 'entityUpdated', [event], { actorId: bo.memberId });
  });
  await vi.waitUntil(() => mailsTo('anna@example.com').length === 4, patience);
  expect((await set({ mode: 'none' })).body).toMatchObject({ mode: 'none', confirmed: true });
  await comment('Nobody is mailed');
  await allTold();
  expect((await set({ mode: 'daily' })).body.confirmed).toBe(true);
  await comment('For the morning');
  await allTold();
  const rows = await workspace.transact((tx) =>
    tx.query<{ hour: number; later: boolean }>(
      `select extract(hour from next_at at time zone 'UTC')::int as hour, next_at > now() as later
       from inbox_mail where workspace_id = $1 and member_id = $2`,
      [workspace.id, anna.memberId],
    ),
  );
  expect(rows).toEqual([{ hour: 6, later: true }]);
  expect(mailsTo('anna@example.com')).toHaveLength(4);
});

/** The link of the header; the text of the mail has the same. */
function stopLinkOf(source = ''): string {
  const plain = source.replaceAll('=\r\n', '').replaceAll('\r\n ', ' ');
  const link = /^List-Unsubscribe: +<(.*)>\r$/m.exec(plain)?.[1] ?? '';
  expect(plain).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
  expect(plain).toContain(`without a sign-in: ${link}\r\n`);
  return link;
}

/** Lets a member have a confirmed address, without the mail with the code. */
const confirmed = (person: Person, address: string) =>
  workspace.transact((tx) =>
    tx.query(
      `insert into inbox_mail (workspace_id, member_id, mode, address, confirmed) values ($1, $2, 'atOnce', $3, true)`,
      [workspace.id, person.memberId, address],
    ),
  );

test.concurrent('one click in a mail program stops the mails to an address, without a sign-in, and does nothing else', async () => {
  const [anna, bo, cleo] = [await join('Anna Stops'), await join('Bo Stops'), await join('Cleo Stops')];
  const [part = ''] = await workspace.addEntities(1);
  for (const [person, address] of [
    [anna, 'anna-stops@example.com'],
    [cleo, 'cleo-stops@example.com'],
  ] as const) {
    await follow(person, { entity: part });
    await confirmed(person, address);
  }
  const modeOf = async (person: Person) => (await person.ask('GET', '/me/inbox/mail')).body.mode;
  await change(bo, part, 'First change');
  await vi.waitUntil(
    () => mailsTo('anna-stops@example.com').length + mailsTo('cleo-stops@example.com').length === 2,
    patience,
  );
  const link = new URL(stopLinkOf(mailsTo('anna-stops@example.com')[0]?.text)).pathname;
  const page = await server.request(link, { headers: { Accept: 'text/html' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.text).toContain('<form method="post">');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await modeOf(anna)).toBe('atOnce');
  const click = (path: string) =>
    server.request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'cross-site' },
      body: 'List-Unsubscribe=One-Click',
    });
  const forged = `${link.slice(0, -1)}${link.endsWith('A') ? 'Q' : 'A'}`;
  for (const wrong of [forged, link.slice(0, -1), `${link}A`, `/api/unsubscribe/${'A'.repeat(64)}`])
    expect([wrong, (await click(wrong)).status]).toEqual([wrong, 404]);
  expect(await modeOf(anna)).toBe('atOnce');
  // The token is no key, and opens nothing.
  const token = link.split('/').at(-1) ?? '';
  expect((await server.request(`/api/wid/${workspace.slug}/me/inbox`, { key: token })).status).toBe(401);
  const stopped = await click(link);
  expect([stopped.status, stopped.text]).toEqual([200, expect.stringContaining('The mails are stopped')]);
  expect(stopped.headers.get('set-cookie')).toBeNull();
  expect((await click(link)).status).toBe(200);
  expect([await modeOf(anna), await modeOf(cleo)]).toEqual(['none', 'atOnce']);
  await change(bo, part, 'Second change');
  await vi.waitUntil(() => mailsTo('cleo-stops@example.com').length === 2, patience);
  expect(mailsTo('anna-stops@example.com')).toHaveLength(1);
  // A link ends with its address.
  await workspace.transact((tx) =>
    tx.query(
      `update inbox_mail set mode = 'atOnce', address = 'new@example.com' where workspace_id = $1 and member_id = $2`,
      [workspace.id, anna.memberId],
    ),
  );
  expect((await click(link)).status).toBe(404);
  expect(await modeOf(anna)).toBe('atOnce');
});

test.concurrent('an inbox whose mails fail waits longer each time, and keeps no other waiting', async () => {
  const [anna, bo, cleo] = [await join('Anna Fails'), await join('Bo Fails'), await join('Cleo Fails')];
  const [part = ''] = await workspace.addEntities(1);
  await follow(anna, { entity: part });
  await follow(cleo, { entity: part });
  const owner = new Client({ connectionString: server.ctx.config.DATABASE_URL as string });
  await owner.connect();
  await owner.query(`
    create function refuse_one() returns trigger language plpgsql as $$
      begin
        if new.recipients @> '{fails@example.com}' then raise exception 'refused by the test'; end if;
        return new;
      end $$;
    create trigger refuse_one before insert on automation_mail for each row execute function refuse_one()`);
  await confirmed(anna, 'fails@example.com');
  await confirmed(cleo, 'goes-on@example.com');
  const waits = () =>
    owner.query(
      `select failures, extract(epoch from next_at - now()) > 60 as long from inbox_mail where address = 'fails@example.com'`,
    );
  await change(bo, part, 'First change');
  await vi.waitUntil(() => mailsTo('goes-on@example.com').length === 1, patience);
  await vi.waitUntil(async () => (await waits()).rows[0]?.failures === 1, patience);
  await owner.query(`update inbox_mail set next_at = now() where address = 'fails@example.com'`);
  await vi.waitUntil(async () => (await waits()).rows[0]?.failures === 2, patience);
  expect((await waits()).rows).toEqual([{ failures: 2, long: true }]);
  await change(bo, part, 'Second change');
  await vi.waitUntil(() => mailsTo('goes-on@example.com').length === 2, patience);
  await owner.query('drop trigger refuse_one on automation_mail');
  await owner.query(`update inbox_mail set next_at = now() where address = 'fails@example.com'`);
  await vi.waitUntil(() => mailsTo('fails@example.com').length === 1, patience);
  expect((await waits()).rows).toEqual([{ failures: 0, long: null }]);
  await owner.end();
});

test.concurrent('a lost code is mailed again, three times within an hour', async () => {
  const anna = await join('Anna Lost');
  const address = 'lost@example.com';
  const set = (more: object) => anna.ask('POST', '/me/inbox/mail', { mode: 'daily', address, ...more });
  const later = (interval: string) =>
    workspace.transact((tx) =>
      tx.query(
        `update inbox_mail set code_at = code_at - interval '${interval}', resends_from = resends_from - interval '${interval}'
         where workspace_id = $1 and member_id = $2`,
        [workspace.id, anna.memberId],
      ),
    );
  const codeIn = async (count: number) => {
    await vi.waitUntil(() => mailsTo(address).length === count, patience);
    return /^\d{8}\r$/m.exec(mailsTo(address)[count - 1]?.text ?? '')?.[0].trim() ?? '';
  };
  expect((await set({})).status).toBe(200);
  const first = await codeIn(1);
  expect((await set({ resendCode: true })).body.code).toBe('too_many_mails');
  await later('2 minutes');
  expect((await set({})).status).toBe(200);
  expect((await set({ resendCode: true })).status).toBe(200);
  const second = await codeIn(2);
  for (let at = 3; at <= 4; at++) {
    await later('2 minutes');
    expect((await set({ resendCode: true })).status).toBe(200);
    await codeIn(at);
  }
  await later('2 minutes');
  expect((await set({ resendCode: true })).body.code).toBe('too_many_mails');
  await later('1 hour');
  expect((await set({ resendCode: true })).status).toBe(200);
  const last = await codeIn(5);
  const confirm = async (code: string) =>
    (await anna.ask('POST', '/me/inbox/mail/confirmation', { code })).body.confirmed;
  for (const former of [first, second]) if (former !== last) expect(await confirm(former)).toBe(false);
  expect(await confirm(last)).toBe(true);
  expect((await set({ resendCode: true })).body.confirmed).toBe(true);
  expect(mailsTo(address)).toHaveLength(5);
});

test.concurrent('a code for an address works for five attempts', async () => {
  const anna = await join('Anna Guesses');
  await anna.ask('POST', '/me/inbox/mail', { mode: 'daily', address: 'guess@example.com' });
  await vi.waitUntil(() => mails.received.some(({ to }) => to.includes('guess@example.com')), patience);
  const text = mails.received.find(({ to }) => to.includes('guess@example.com'))?.text.replaceAll('\r', '');
  const code = /^\d{8}$/m.exec(text ?? '')?.[0] ?? '';
  const wrong = code === '00000000' ? '11111111' : '00000000';
  const confirm = async (given: string) =>
    (await anna.ask('POST', '/me/inbox/mail/confirmation', { code: given })).body.confirmed;
  for (let at = 0; at < 5; at++) expect(await confirm(wrong)).toBe(false);
  expect(await confirm(code)).toBe(false);
  // Another one is mailed on request.
  await workspace.transact((tx) =>
    tx.query(
      `update inbox_mail set code_at = now() - interval '2 minutes' where workspace_id = $1 and member_id = $2`,
      [workspace.id, anna.memberId],
    ),
  );
  await anna.ask('POST', '/me/inbox/mail', { mode: 'daily', address: 'guess@example.com' });
  await vi.waitUntil(
    () => mails.received.filter(({ to }) => to.includes('guess@example.com')).length === 2,
    patience,
  );
});

test.concurrent('codes go to ten addresses a day, and no further one within a minute, however many are asked for at once', async () => {
  const anna = await join('Anna Strangers');
  const set = (address: string) => anna.ask('POST', '/me/inbox/mail', { mode: 'daily', address });
  const addresses = Array.from({ length: 8 }, (_, at) => `stranger${at}@example.com`);
  const answers = await Promise.all(addresses.map(set));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(429)]);
  const later = (codes: string) =>
    workspace.transact((tx) =>
      tx.query(
        `update inbox_mail set code_at = now() - interval '2 minutes', ${codes} where workspace_id = $1 and member_id = $2`,
        [workspace.id, anna.memberId],
      ),
    );
  for (let at = 2; at <= 10; at++) {
    await later('mode = mode');
    expect((await set(`later${at}@example.com`)).status).toBe(200);
  }
  await later('mode = mode');
  const refused = await set('eleven@example.com');
  expect([refused.body.code, refused.body.detail]).toEqual([
    'too_many_mails',
    '10 codes were mailed for you within a day, which is the most. Try again tomorrow.',
  ]);
  await later(`codes_from = now() - interval '25 hours'`);
  expect((await set('eleven@example.com')).status).toBe(200);
});
