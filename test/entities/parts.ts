/** Parts as a sync sends them, and the calls that most tests of entities begin with. */

import { expect } from 'vitest';
import type { Entity } from '../../web/client/operations.ts';
import type { TestAnswer } from '../setup/server.ts';
import type { SyncedBatch } from '../sync/sync-calls.ts';
import type { DefaultWorkspace } from '../workspaces/default-workspace.ts';

export const guidOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const refOf = (n: number) => `guid:${guidOf(n)}`;

export function element(n: number, more: object = {}): object {
  return { guid: guidOf(n), number: `N-${n}`, name: `Part ${n}`, categoryKey: 'part', ...more };
}

export interface Parts {
  ask: DefaultWorkspace['ask'];
  /** Sends elements through the real sync and returns the envelope. */
  sync(entities: object[]): Promise<SyncedBatch>;
  create(values?: object): Promise<Entity>;
  move(ref: string, ...states: string[]): Promise<TestAnswer>;
  /** By way of review. */
  release(ref: string): Promise<Entity>;
  define(key: string, type: string): Promise<void>;
}

export function partsOf(workspace: () => DefaultWorkspace): Parts {
  const ask: DefaultWorkspace['ask'] = (...given) => workspace().ask(...given);
  const move: Parts['move'] = async (ref, ...states) => {
    let last: TestAnswer | undefined;
    for (const toState of states) last = await ask('POST', `/entities/${ref}/transitions`, { toState });
    return last as TestAnswer;
  };
  return {
    ask,
    move,
    sync: async (entities) => {
      const answer = await ask('POST', '/pdm/sync', { entities });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.counts.error, answer.text).toBe(0);
      return answer.body;
    },
    create: async (values = {}) => {
      const answer = await ask('POST', '/entities', { category: 'part', name: 'A part', ...values });
      expect(answer.status, answer.text).toBe(201);
      return answer.body;
    },
    release: async (ref) => {
      const answer = await move(ref, 'In Review', 'Released');
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    },
    define: async (key, type) => {
      const answer = await ask('POST', '/property-definitions', { key, name: key, type });
      expect(answer.status, answer.text).toBe(201);
    },
  };
}
