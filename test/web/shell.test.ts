// The shell of the app and its start page: signing in by a link or a provider, Me, first steps, the command palette, notices.
import { randomUUID } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test as sampledTest } from 'vitest';
import { CLIENT_SECRET, type IdentityProvider, startIdentityProvider } from '../setup/identity-provider.ts';
import { patience } from '../setup/patience.ts';
import { sample, coreTest as test } from '../setup/tier.ts';
import { makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { scrollsSideways, unseenFocus } from './keyboard-and-edges.ts';
import { makeRover, type Rover } from './stocked-rover.ts';

let app: WebApp;
let rover: Rover;
let provider: IdentityProvider;
/** The service at a name, where browsers make passkeys; the provider is at an address, which is another site. */
let address: string;
let target = '';
const front = createServer((req, res) => {
  const { method, headers, url: path } = req;
  const onward = request(`${target}${path}`, { method, headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  onward.on('error', () => res.destroy());
  res.on('close', () => onward.destroy());
  req.pipe(onward);
});

/** The pages of the provider ask for fonts of other hosts. */
const isOurs = (complaint: string) => !complaint.includes('ERR_NAME_NOT_RESOLVED');

/** What a person does at the pages of the provider: signs in, and agrees. */
async function signInAtProvider(page: Page, subject: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(subject);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Makes the last proof of every session an old one. */
async function forgetProofs(): Promise<void> {
  const client = new Client({ connectionString: app.server.ctx.databaseUrl });
  await client.connect();
  await client.query(`update person_session set proved_at = now() - interval '1 hour'`);
  await client.end();
}

describe.skipIf(browserMissing !== null)('a person', () => {
  beforeAll(async () => {
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    address = `http://localhost:${(front.address() as AddressInfo).port}`;
    provider = await startIdentityProvider(address);
    app = await startWebApp({
      PUBLIC_URL: address,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'partbook',
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Acme',
      OIDC_GROUPS: 'eng',
      SMTP_URL: 'smtp://127.0.0.1:9',
      SMTP_FROM: 'partbook@example.com',
    });
    target = app.server.baseUrl;
    provider.announceTo(target);
    rover = await makeRover(app.workspace);
    const items = [{ group: 'eng', areas: ['read', 'engineering'] }];
    expect((await app.workspace.ask('PUT', '/group-rules', { items })).status).toBe(200);
  });
  afterAll(async () => {
    await app.close();
    await provider.close();
    front.closeAllConnections();
    front.close();
  });

  test('signs in by clicks at the provider, and signs out there too', async () => {
    provider.accounts.set('anna', { name: 'Anna Berg', groups: ['eng'] });
    const { page, complaints } = await app.open({ key: null });
    await page.goto(`${address}/w/${app.workspace.slug}`);
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await signInAtProvider(page, 'anna');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const menu = page.getByRole('button', { name: 'Signed in as Anna Berg' });
    await menu.click();
    await page.getByRole('menuitem', { name: /^Me/ }).click();
    await page.getByText(`Account at ${new URL(provider.issuer).host}`).waitFor();
    // The audit trail by person, for somebody who may read neither keys nor members.
    const { items } = (await app.workspace.ask('GET', '/people')).body;
    const { id } = items.find((one: { name: string }) => one.name === 'Anna Berg');
    await page.goto(`${address}/w/${app.workspace.slug}/settings/audit?actorId=${id}`);
    await page.getByRole('button', { name: 'Remove filter Who: Anna Berg' }).waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${address}/`);
    await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
    expect(complaints.filter(isOurs)).toEqual([]);
    await app.leave(page);
  });

  sampledTest('changes at Me how to sign in, after a proof, and makes a key and a rule', async () => {
    const areas = ['read', 'stock', 'procurement', 'engineering', 'configuration', 'admin'];
    const invited = await app.workspace.ask('POST', '/invitations', { name: 'Bea Lund', areas });
    const { page, complaints, settled, axe, shoot } = await app.open({ key: null });
    const devices = await page.context().newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(invited.body.url);
    await page.getByRole('button', { name: 'Use a password' }).click();
    await page.getByLabel('Sign-in name').fill('bea');
    await page.getByRole('textbox', { name: 'New password' }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Use this password' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.goto(`${address}/w/${app.workspace.slug}/me`);

    const dialog = (name: string) => page.getByRole('dialog', { name });
    const proof = dialog('Prove that it is you');
    await forgetProofs();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Phone');
    await page.getByRole('button', { name: 'Make the passkey' }).click();
    await proof.getByRole('textbox', { name: 'Password' }).fill('wrong');
    await proof.getByRole('button', { name: 'Continue' }).click();
    await proof.getByText('This is not your password').waitFor();
    await proof.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
    await proof.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Passkey Phone').waitFor();

    await forgetProofs();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Laptop');
    await page.getByRole('button', { name: 'Create' }).click();
    await proof.getByRole('button', { name: 'Use a passkey' }).click();
    await dialog('Key Bea Lund, Laptop').getByRole('button', { name: 'Done' }).click();
    await page.getByRole('list', { name: 'Your API keys' }).getByText('Bea Lund, Laptop').waitFor();

    await forgetProofs();
    await page.getByRole('button', { name: 'Connect Acme' }).click();
    await proof.getByRole('button', { name: 'Use a passkey' }).click();
    provider.accounts.set('bea', { name: 'Bea L.', groups: [] });
    await signInAtProvider(page, 'bea');
    await page.getByText(`Account at ${new URL(provider.issuer).host}`).waitFor();

    await page.goto(`${address}/w/${app.workspace.slug}/settings/groups`);
    await page.getByRole('button', { name: 'New rule' }).click();
    await page.getByLabel('Group', { exact: true }).fill('board');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('is no group of yours').first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Groups of a person').fill('eng, board');
    await page.getByRole('button', { name: 'Try' }).click();
    await page.getByText('A member who may: Engineer. Rules for: eng.').waitFor();

    const findings: unknown[] = [];
    for (const width of sample([360, 768, 1280, 390]))
      for (const [at, path] of ['me', 'settings/people', 'settings/groups'].entries()) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme: at % 2 === 0 ? 'dark' : 'light' });
        await page.goto(`${address}/w/${app.workspace.slug}/${path}`);
        await page
          .getByText('eng')
          .or(page.getByText('Bea Lund'))
          .filter({ visible: true })
          .first()
          .waitFor();
        await settled();
        await shoot(`person-${path.replace('/', '-')}-${width}`);
        findings.push(...(await axe()), ...(await unseenFocus(page)), ...(await scrollsSideways(page)));
      }
    expect([findings, complaints.filter(isOurs)]).toEqual([[], []]);
    await app.leave(page);
  });

  test('follows a part on its page, is told live of a comment, and reads and mutes it', async () => {
    const areas = ['read', 'engineering', 'stock', 'procurement'];
    const invited = await app.workspace.ask('POST', '/invitations', { name: 'Cora Lind', areas });
    const { page, complaints, settled, axe, shoot } = await app.open({ key: null });
    await page.goto(invited.body.url);
    await page.getByRole('button', { name: 'Use a password' }).click();
    await page.getByLabel('Sign-in name').fill('cora');
    await page.getByRole('textbox', { name: 'New password' }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Use this password' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const open = (path: string) => page.goto(`${address}/w/${app.workspace.slug}${path}`);
    await open(`/entities/${rover.wheel}`);
    await page.getByRole('button', { name: 'Follow' }).click();
    await page.getByRole('menuitem', { name: 'Follow with everything below it' }).click();
    await page.getByRole('button', { name: 'Following' }).waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent), patience)
      .toBe('Following');
    const link = page.getByRole('link', { name: 'Inbox: 2 unread' });
    await app.workspace.ask('POST', '/comments', {
      entity: rover.wheel,
      text: 'The **hole pattern** is new, @[Cora Lind].',
    });
    await app.workspace.ask('POST', '/comments', { entity: rover.wheel, text: 'And the rim.' });
    await link.click();
    const lines = page.getByRole('list', { name: 'Inbox' }).getByRole('listitem');
    await lines.getByText('mentions you').waitFor();
    await lines.getByText('has a new comment').waitFor();
    const findings: unknown[] = [];
    for (const [at, width] of sample([390, 768, 360, 1280]).entries()) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme: at % 2 === 0 ? 'dark' : 'light' });
      await settled();
      await shoot(`inbox-${width}`);
      findings.push(...(await axe()), ...(await unseenFocus(page)), ...(await scrollsSideways(page)));
    }
    expect(findings).toEqual([]);
    await lines
      .getByRole('button', { name: /^Mark as read/ })
      .first()
      .click();
    await page.getByRole('link', { name: 'Inbox: 1 unread' }).waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor();
    await page.getByRole('switch', { name: 'Unread only' }).check();
    await page.getByText('Everything is read.').waitFor();
    await page.getByLabel('Mail me my inbox').selectOption({ label: 'At once' });
    await page.getByRole('textbox', { name: /^To/ }).fill('cora@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('textbox', { name: /^Code that was mailed/ }).fill('12345678');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('The code is not right, or has expired.').waitFor();
    await shoot('inbox-mail');
    await open('/inbox?mail=stop');
    await page.getByRole('button', { name: 'Stop these mails' }).click();
    await page.getByText('You get no mails.').waitFor();
    await open(`/entities/${rover.wheel}`);
    await page.getByRole('button', { name: 'Following' }).click();
    await page.getByRole('menuitem', { name: /^Mute/ }).click();
    await page.getByRole('button', { name: 'Muted' }).waitFor();

    await open('/entities?category=part');
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByLabel('Save this view as').fill('All parts');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Follow view All parts' }).click();
    await page.getByRole('button', { name: 'Stop following view All parts' }).waitFor();
    await shoot('follow-view');
    const spare = { category: 'part', name: 'Spare rim' };
    expect((await app.workspace.ask('POST', '/entities', spare)).status).toBe(201);
    await page.goto(`${address}/w/${app.workspace.slug}/inbox`);
    await page.getByRole('link', { name: /Spare rim/ }).waitFor();
    await page.getByText('you follow All parts').waitFor();

    const people = await app.workspace.ask('GET', '/people?q=Cora');
    const task = { location: rover.shelf, assignedTo: people.body.items[0].id, note: 'Boxes, too' };
    expect((await app.workspace.ask('POST', '/stock/count-tasks', task)).status).toBe(201);
    const sections = page.getByRole('navigation', { name: 'Sections' }).filter({ visible: true });
    await sections.getByRole('link', { name: 'My work' }).click();
    const count = page.getByRole('link', { name: 'Count SH-A1' }).filter({ visible: true });
    for (const [at, width] of sample([390, 768, 360, 1280]).entries())
      for (const path of ['/stock/count-tasks', '/work']) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme: at % 2 === 0 ? 'dark' : 'light' });
        await open(path);
        await page.getByText('SH-A1').filter({ visible: true }).first().waitFor();
        await settled();
        await shoot(`${path.slice(1).replace('/', '-')}-${width}`);
        findings.push(...(await axe()), ...(await unseenFocus(page)), ...(await scrollsSideways(page)));
      }
    expect(findings).toEqual([]);
    await count.click();
    await page.getByText('asks for this count: Boxes, too').waitFor();
    await page
      .getByRole('textbox', { name: /^Counted/ })
      .first()
      .fill('1');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: /^(Apply|Record)/ }).click();
    await page.getByText('asks for this count').waitFor({ state: 'detached' });
    const ended = await app.workspace.ask('GET', '/stock/count-tasks?status=any');
    expect(ended.body.items).toMatchObject([{ status: 'done', endedBy: { name: 'Cora Lind' } }]);
    expect(complaints.filter(isOurs)).toEqual([]);
    await app.leave(page);
  });

  test('opens the app by a sign-in link that was used before, and is told where the key is when it has expired', async () => {
    const code = app.server.ctx.signInCodes.make(app.workspace.key, 15);
    const link = `${app.server.baseUrl}/?code=${code}`;
    const { page } = await app.open({ key: null });
    const overview = page.getByRole('heading', { name: 'Overview', level: 1 });
    await page.goto(link);
    await overview.waitFor();
    await page.goto(link);
    await overview.waitFor();
    await page.context().clearCookies();
    await page.goto(link);
    await page.getByText('already used or has expired').waitFor();
    await page.getByText('.data/demo-key').waitFor();
    await page.getByLabel('API key').fill(app.workspace.key);
    await page.keyboard.press('Enter');
    await overview.waitFor();
    await app.leave(page);
  });

  test('sees first steps in a new workspace, and no empty chart', async () => {
    const fresh = await makeDefaultWorkspace(app.server);
    const { page, axe } = await app.open({ key: fresh.key });
    await page.goto(`${app.server.baseUrl}/w/${fresh.slug}`);
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByText('Nothing is overdue and nothing has failed.').waitFor();
    expect(await page.getByRole('img', { name: /^Column chart/ }).count()).toBe(0);
    expect(await axe()).toEqual([]);
    const made = await fresh.ask('POST', '/entities', { category: 'part', number: 'P-1', name: 'Part' });
    expect(made.status, made.text).toBe(201);
    await page.reload();
    await page.getByRole('listitem').filter({ hasText: 'Import your parts' }).getByText('Done.').waitFor();
    await app.leave(page);
  });

  test('finds all items of a text by Ctrl-K, tells equal names apart, and keeps the focus', async () => {
    for (let made = 0; made < 14; made++) {
      const body = { category: 'part', name: 'Twin spacer' };
      expect((await app.workspace.ask('POST', '/entities', body)).status).toBe(201);
    }
    const { page, goto } = await app.open();
    const isOnBody = () => page.evaluate(() => document.activeElement === document.body);
    await goto('');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(isOnBody).toBe(false);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Twin spacer');
    const options = page.getByRole('option', { name: /Twin spacer/ });
    await page.getByRole('option', { name: 'Show all results for “Twin spacer”' }).waitFor();
    const shown = await options.allInnerTexts();
    expect(new Set(shown).size).toBe(shown.length);
    for (let at = 0; at <= shown.length; at++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=Twin/);
    await expect.poll(isOnBody).toBe(false);
    await app.leave(page);
  });

  test('is warned of unreleased parts when an assembly is released, and submits the comment with Ctrl-Enter', async () => {
    const make = async (name: string) =>
      (await app.workspace.ask('POST', '/entities', { category: 'assembly', number: randomUUID(), name }))
        .body;
    const [top, part] = [await make('Top'), await make('Loose part')];
    const path = `/entities/${top.id}/uses/${part.id}`;
    expect((await app.workspace.ask('PUT', path, { quantity: 1 })).status).toBe(201);
    const category = (await app.workspace.ask('GET', '/categories/assembly')).body;
    const lifecycle = (await app.workspace.ask('GET', `/lifecycles/${category.lifecycle}`)).body;
    const released = lifecycle.states.find((state: { released: boolean }) => state.released).name;
    // By the shortest way to a state from which a transition releases.
    const last = lifecycle.transitions.find((one: { to: string }) => one.to === released);
    for (let state = top.state; state !== last.from; ) {
      const step = lifecycle.transitions.find((one: { from: string }) => one.from === state);
      const moved = await app.workspace.ask('POST', `/entities/${top.id}/transitions`, { toState: step.to });
      expect(moved.status, moved.text).toBeLessThan(300);
      state = step.to;
    }
    const { page, goto, axe } = await app.open();
    await goto(`/entities/${top.id}`);
    await page.getByRole('button', { name: 'Change state' }).click();
    await page.getByRole('menuitem', { name: last.name }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 part of its structure is not released').waitFor();
    await dialog.getByRole('link', { name: part.number }).waitFor();
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await dialog.getByLabel('Comment (optional)').fill('As agreed.');
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    expect((await app.workspace.ask('GET', `/entities/${top.id}`)).body.state).toBe(released);
    await app.leave(page);
  });

  test('takes an adjustment back from its notice, which covers no button, and reads filters by their names', async () => {
    const { page, goto } = await app.open();
    await goto(`/entities/${rover.screw}/stock`);
    await page.getByRole('button', { name: 'Adjust', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const onHand = async () =>
      (await app.workspace.ask('GET', `/entities/${rover.screw}/summary`)).body.stock.onHand as number;
    const before = await onHand();
    if ((await dialog.getByLabel('Location').count()) > 0) {
      await dialog.getByLabel('Location').fill('SH-A1');
      await page.getByRole('option', { name: /SH-A1/ }).click();
    }
    await dialog.getByLabel('Quantity').fill('5');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await onHand()).toBe(before + 5);
    const notice = await page.getByRole('status').filter({ hasText: 'Undo' }).boundingBox();
    const main = await page.getByRole('main').boundingBox();
    expect(notice?.y).toBeGreaterThanOrEqual((main?.y ?? 0) + (main?.height ?? 0));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await onHand()).toBe(before);
    const [key] = (await app.workspace.ask('GET', '/api-keys')).body.items;
    await goto(`/settings/audit?actorId=${key.id}`);
    await page.getByRole('button', { name: `Remove filter Who: ${key.name}` }).waitFor();
    await app.leave(page);
  });
});
