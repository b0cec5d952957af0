/** A workspace with stock, a project and the calls that tests of procurement are made of. */

import { expect } from 'vitest';
import type { StockLedgerEntry, StockPosition } from '../../web/client/operations.ts';
import type { TestAnswer, TestServer } from '../setup/server.ts';
import { makeStockedWorkspace, type StockedWorkspace } from '../stock/stocked-workspace.ts';

export interface ProcuringWorkspace extends StockedWorkspace {
  project: string;
  /** Fails unless the answer has that status. */
  must(status: number, method: string, path: string, body?: unknown): Promise<TestAnswer['body']>;
  /** On item 0 at location 0, unless it says otherwise. */
  line(values: object): Promise<TestAnswer>;
  act(lineId: string, what: string, body?: unknown): Promise<TestAnswer>;
  /** [on hand, reserved, on order] */
  figures(item?: string, location?: string): Promise<[number, number, number]>;
  move(entityId: string, toState: string): Promise<TestAnswer>;
  link(parent: string, child: string, quantity: number): Promise<void>;
  addProject(name?: string): Promise<string>;
}

/** What is received for a requirement stays unreserved unless `reserveReceived`: the way of workspaces of earlier versions. */
export async function makeProcuringWorkspace(
  server: TestServer,
  {
    reserveReceived = false,
    ...size
  }: { items?: number; locations?: number; reserveReceived?: boolean } = {},
): Promise<ProcuringWorkspace> {
  const workspace = await makeStockedWorkspace(server, size);
  const { ask, items, locations } = workspace;
  const must: ProcuringWorkspace['must'] = async (status, method, path, body) => {
    const answer = await ask(method, path, body);
    expect(answer.status, answer.text).toBe(status);
    return answer.body;
  };
  const settings = { reserveReceived, overDeliveryPercent: 0, adjustmentReasons: [] };
  await must(200, 'PUT', '/stock/settings', settings);
  const addProject = async (name = 'A project') =>
    (await must(201, 'POST', '/entities', { category: 'project', name })).id;
  return {
    ...workspace,
    must,
    addProject,
    project: await addProject(),
    line: (values) =>
      ask('POST', '/stock/lines', {
        type: 'purchaseOrder',
        itemEntityId: items[0],
        locationEntityId: locations[0],
        quantity: 1,
        ...values,
      }),
    act: (id, what, body = {}) => ask('POST', `/stock/lines/${id}/${what}`, body),
    figures: async (item = items[0] as string, location = locations[0] as string) => {
      const { body } = await ask('GET', `/stock/positions/by-item/${item}`);
      const found = body.items.find((one: StockPosition) => one.locationEntityId === location);
      return found === undefined ? [0, 0, 0] : [found.onHand, found.reserved, found.onOrder];
    },
    move: (id, toState) => ask('POST', `/entities/${id}/transitions`, { toState }),
    link: async (parent, child, quantity) => {
      await must(201, 'PUT', `/entities/${parent}/uses/${child}`, { quantity });
    },
  };
}

/** Type and quantity of entries, in order. */
export function moved(entries: readonly StockLedgerEntry[]): [string, number][] {
  return entries.map((entry) => [entry.movementType, entry.quantity]);
}
