/** A workspace that values its stock, and the ways in which tests of it look at it. */
import { expect } from 'vitest';
import { revaluationLimits } from '../../src/config.ts';
import type { TestServer } from '../setup/server.ts';
import { makeStockedWorkspace } from './stocked-workspace.ts';

/** It keeps costs in EUR. */
export async function makeCostedWorkspace(server: TestServer, method: 'fifo' | 'average' = 'fifo') {
  const workspace = await makeStockedWorkspace(server);
  const ask = async (status: number, verb: string, path: string, body?: unknown) => {
    const answer = await workspace.ask(verb, path, body);
    expect(answer.status, answer.text).toBe(status);
    return answer.body;
  };
  const keepCosts = async (wanted: string = method, currency = 'EUR') => {
    const settings = await ask(200, 'GET', '/stock/settings');
    return workspace.ask('PUT', '/stock/settings', { ...settings, costing: { method: wanted, currency } });
  };
  expect((await keepCosts()).status).toBe(200);
  const [item, shelf, other] = [workspace.items[0], workspace.locations[0], workspace.locations[1]] as [
    string,
    string,
    string,
  ];
  const adjust = (quantity: number, price?: string, location = shelf) =>
    ask(201, 'POST', '/stock/adjustments', {
      itemEntityId: item,
      locationEntityId: location,
      quantity,
      ...(price === undefined ? {} : { unitCost: { price } }),
    });
  const value = async (query = `item=${item}`) => (await ask(200, 'GET', `/stock/value?${query}`)).items[0];
  return { workspace, ask, keepCosts, adjust, value, item, shelf, other };
}

/** Works with other limits of a revaluation. */
export async function withRevaluationLimits(
  limits: Partial<Record<keyof typeof revaluationLimits, number>>,
  work: () => Promise<void>,
): Promise<void> {
  const before = { ...revaluationLimits };
  Object.assign(revaluationLimits, limits);
  try {
    await work();
  } finally {
    Object.assign(revaluationLimits, before);
  }
}
