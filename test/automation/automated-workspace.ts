/** A default workspace with calls for automations, and ways of waiting for their runs. */

import { expect, vi } from 'vitest';
import type { Automation, AutomationRun, AutomationRunSummary, Entity } from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import type { TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

export const context = {
  transition: 1,
  imported: 2,
  created: 3,
  updated: 4,
  feature: 5,
  stockMoved: 6,
  orderChanged: 7,
  schedule: 8,
  thresholdCrossed: 9,
  importNotClean: 10,
  belowReorderPoint: 11,
  planningFinished: 12,
} as const;

export interface AutomatedWorkspace extends DefaultWorkspace {
  automate(contextTypeId: number, script: string, more?: object): Promise<Automation>;
  create(values?: object): Promise<Entity>;
  runsOf(automation: Pick<Automation, 'id'>, query?: string): Promise<AutomationRunSummary[]>;
  /** Waits until that many runs have ended, and gives them, oldest first, each in full. */
  ended(automation: Pick<Automation, 'id'>, count: number): Promise<AutomationRun[]>;
}

export async function makeAutomatedWorkspace(server: TestServer): Promise<AutomatedWorkspace> {
  const workspace = await makeDefaultWorkspace(server);
  const { ask } = workspace;
  const runsOf = async (automation: Pick<Automation, 'id'>, query = '') => {
    const answer = await ask('GET', `/automations/${automation.id}/runs?limit=1000${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.items as AutomationRunSummary[];
  };
  return {
    ...workspace,
    runsOf,
    automate: async (contextTypeId, script, more = {}) => {
      const answer = await ask('POST', '/automations', { name: 'A test', contextTypeId, script, ...more });
      expect(answer.status, answer.text).toBe(201);
      return answer.body;
    },
    create: async (values = {}) => {
      const answer = await ask('POST', '/entities', { category: 'part', name: 'A part', ...values });
      expect(answer.status, answer.text).toBe(201);
      return answer.body;
    },
    ended: async (automation, count) => {
      const runs = await vi.waitUntil(async () => {
        const all = (await runsOf(automation)).filter((run) => run.status !== 'queued');
        return all.length >= count && all;
      }, patience);
      const full = await Promise.all(runs.reverse().map((run) => ask('GET', `/automation-runs/${run.id}`)));
      return full.map((answer) => answer.body);
    },
  };
}
