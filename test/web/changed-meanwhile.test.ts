// What somebody else saves while a dialog is open is told, and not written over; what the dialog does not show is no conflict.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test as sampledTest } from 'vitest';
import { deepTest, sample } from '../setup/tier.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { makeRover, type Rover } from './stocked-rover.ts';

let app: WebApp;
let rover: Rover;

async function ask(method: string, path: string, body?: unknown) {
  const answer = await app.workspace.ask(method, path, body);
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
  return answer.body;
}

interface Case {
  what: string;
  /** Makes the thing; the page it is on, its address in the interface, and how its dialog is opened. */
  begin: () => Promise<{ path: string; address: string; open: (page: Page) => Promise<unknown> }>;
  dialog: RegExp;
  /** What is typed. */
  type: (page: Page) => Promise<unknown>;
  /** What somebody else saves meanwhile, of what was read. */
  other: (read: Record<string, unknown>) => { method: string; body: unknown };
  told: string;
  save: string;
  /** What there is at the end, both considered. */
  kept: Record<string, unknown>;
}

const makeOrder = () =>
  ask('POST', '/orders', {
    type: 'purchaseOrder',
    supplier: 'Zellwerk',
    lines: [
      {
        itemEntityId: rover.wheel,
        locationEntityId: rover.shelf,
        quantity: 4,
        requiredBy: '2199-01-01',
      },
    ],
  });

const cases: Case[] = [
  {
    what: 'the supplier of an order',
    begin: async () => {
      const order = await makeOrder();
      return {
        path: `/procurement/orders/${order.id}`,
        address: `/orders/${order.id}`,
        open: (page) => page.getByRole('button', { name: 'Change supplier' }).click(),
      };
    },
    dialog: /^Supplier of/,
    type: async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Supplier', { exact: true }).fill('Kugellager Süd');
      await dialog.getByLabel('“Kugellager Süd” is a new supplier').check();
    },
    other: () => ({ method: 'PATCH', body: { supplier: 'Nordwerk' } }),
    told: 'Supplier: Zellwerk → Nordwerk',
    save: 'Save',
    kept: { supplier: 'Kugellager Süd' },
  },
  {
    what: 'the quantity of a line, beside its day',
    begin: async () => {
      const order = await makeOrder();
      const [line] = order.lines;
      return {
        path: `/procurement/orders/${order.id}`,
        address: `/stock/lines/${line.id}`,
        open: async (page) => {
          await page
            .getByRole('button', { name: /^More for/ })
            .first()
            .click();
          await page.getByRole('menuitem', { name: 'Change' }).click();
        },
      };
    },
    dialog: /^Change the line/,
    type: (page) => page.getByRole('dialog').getByLabel('Quantity').fill('9'),
    other: () => ({ method: 'PATCH', body: { requiredBy: '2198-05-05' } }),
    told: 'Required by: 2199-01-01 → 2198-05-05',
    save: 'Change',
    kept: { quantity: 9, requiredBy: '2198-05-05' },
  },
  {
    what: 'a webhook',
    begin: async () => {
      const body = { url: 'https://receiver.example/hook', events: ['import.completed'] };
      const webhook = await ask('POST', '/webhooks', body);
      return {
        path: `/settings/webhooks/${webhook.id}`,
        address: `/webhooks/${webhook.id}`,
        open: (page) => page.getByRole('button', { name: 'Edit' }).click(),
      };
    },
    dialog: /^Webhook$/,
    type: (page) => page.getByRole('dialog').getByLabel('Description').fill('For the ERP'),
    other: (read) => ({ method: 'PUT', body: { ...read, enabled: false } }),
    told: 'Enabled: yes → no',
    save: 'Save',
    kept: { description: 'For the ERP', enabled: false },
  },
  {
    what: 'a key',
    begin: async () => {
      const body = { name: 'Connector', permission: 'write', expiresAt: '2199-03-04T05:06:07.000Z' };
      const key = await ask('POST', '/api-keys', body);
      return {
        path: '/settings/keys',
        address: `/api-keys/${key.id}`,
        open: (page) =>
          page
            .locator('[data-row]')
            .filter({ hasText: 'Connector' })
            .getByRole('button', { name: /Edit|Change/ })
            .click(),
      };
    },
    dialog: /^Key Connector/,
    type: (page) => page.getByRole('dialog').getByLabel('Name').fill('Connector of the plant'),
    other: ({ name, expiresAt }) => ({ method: 'PUT', body: { name, permission: 'read', expiresAt } }),
    told: 'May do: Stock, Procurement, Engineering → Viewer',
    save: 'Save',
    // Whoever leaves the day as it is leaves the moment.
    kept: { name: 'Connector of the plant', permission: 'read', expiresAt: '2199-03-04T05:06:07.000Z' },
  },
];

describe.skipIf(browserMissing !== null)('what somebody else saves meanwhile', () => {
  beforeAll(async () => {
    app = await startWebApp();
    rover = await makeRover(app.workspace);
  });
  afterAll(() => app.close());

  sampledTest.each(sample(cases))('is told and not written over: $what', async (one) => {
    const { path, address, open } = await one.begin();
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width: 900 });
    await goto(path);
    await open(page);
    const dialog = page.getByRole('dialog', { name: one.dialog });
    await dialog.waitFor();
    await one.type(page);
    const { method, body } = one.other(await ask('GET', address));
    await ask(method, address, body);
    await dialog.getByRole('button', { name: one.save, exact: true }).click();
    await dialog.getByRole('alert').getByText(one.told).waitFor();
    // Nothing is written before it was seen.
    expect(await ask('GET', address)).not.toMatchObject(one.kept);
    await settled();
    await shoot(`meanwhile-${one.what.replaceAll(/\W+/g, '-')}`);
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep my changes' }).click();
    await dialog.getByRole('button', { name: one.save, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await ask('GET', address)).toMatchObject(one.kept);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  deepTest('and a movement of a line is no conflict with its quantity', async () => {
    const order = await makeOrder();
    const [line] = order.lines;
    const { page, goto, complaints } = await app.open({ width: 900 });
    await goto(`/procurement/orders/${order.id}`);
    await (cases[1] as Case).begin().then(({ open }) => open(page));
    const dialog = page.getByRole('dialog', { name: /^Change the line/ });
    await dialog.getByLabel('Quantity').fill('11');
    await ask('POST', `/stock/lines/${line.id}/receipts`, { quantity: 1 });
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await ask('GET', `/stock/lines/${line.id}`)).toMatchObject({ quantity: 11, receivedQty: 1 });
    expect(complaints).toEqual([]);
    await app.leave(page);
  });
});
