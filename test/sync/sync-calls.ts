/** What tests of sync send and read, in few words. */

import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { Entity, SyncBatch, SyncResult } from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import type { TestAnswer, TestServer } from '../setup/server.ts';
import type { DefaultWorkspace } from '../workspaces/default-workspace.ts';

/** Whoever waits for the end of a batch gets its results with it; a test knows how many there are. */
export type SyncedBatch = SyncBatch & { results: Several<SyncResult> };
/** A list of which a test looks at the first. */
export type Several<Item> = [Item, Item, Item, Item, Item, Item, Item, Item, ...Item[]];

export interface SyncCalls {
  /** Sends and waits; expects 200 and a completed batch. */
  sync(entities: unknown[], query?: string): Promise<SyncedBatch>;
  /** Commits a dry run and waits; expects 200 and a completed batch. */
  commit(batchId: string): Promise<SyncedBatch>;
  send(body: unknown, options?: { query?: string; headers?: Record<string, string> }): Promise<TestAnswer>;
  get(path: string): Promise<TestAnswer>;
  /** The entity with that GUID. */
  entity(guid: string): Promise<Entity>;
  /** `{ childNumber: quantity }` of the entity with that GUID. */
  uses(guid: string): Promise<Record<string, number>>;
}

export function syncCalls(server: TestServer, { slug, key }: DefaultWorkspace): SyncCalls {
  const send: SyncCalls['send'] = (body, { query = '', headers = {} } = {}) =>
    server.request(`/api/wid/${slug}/pdm/sync${query}`, { key, body, headers });
  const get: SyncCalls['get'] = (below) => server.request(`/api/wid/${slug}${below}`, { key });
  const completed = async (accepted: TestAnswer): Promise<SyncedBatch> => {
    let answer = accepted;
    // A slow machine is not done in the time that a call waits.
    if (answer.status === 202) {
      const path = `/pdm/sync/batches/${answer.body.batchId}`;
      await vi.waitUntil(async () => {
        answer = await get(path);
        return answer.status !== 200 || answer.body.finishedAt !== null;
      }, patience);
    }
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.status, answer.text).toBe('completed');
    return answer.body;
  };
  return {
    send,
    get,
    sync: async (entities, query = '') => completed(await send({ entities }, { query })),
    commit: async (batchId) =>
      completed(
        await server.request(`/api/wid/${slug}/pdm/sync/batches/${batchId}/commit`, { key, method: 'POST' }),
      ),
    entity: async (guid) => {
      const answer = await get(`/entities/guid:${guid}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    },
    uses: async (guid) => {
      const answer = await get(`/entities/guid:${guid}/uses`);
      expect(answer.status, answer.text).toBe(200);
      return Object.fromEntries(
        answer.body.items.map((item: { number: string; quantity: number }) => [item.number, item.quantity]),
      );
    },
  };
}

/** What became of an element, in a word: the code of a refusal, else the result. */
export function outcomeOf(one: SyncResult): string {
  return one.result === 'error' ? one.code : one.result;
}

/** What a person is told of a refusal; nothing of what was taken. */
export function refusalOf(one: SyncResult): string {
  return one.result === 'error' ? one.message : '';
}

/** Of an element that was taken, for what a refusal does not have. */
export function taken(one: SyncResult): Exclude<SyncResult, { result: 'error' }> {
  if (one.result === 'error') throw new Error(`Refused: ${one.code}: ${one.message}`);
  return one;
}

let made = 0;

/** A valid element; what matters to the test is given. */
/** An element as it is sent; a test may give it anything. */
export interface SentPart {
  guid: string;
  number: string;
  name: string;
  categoryKey: string;
  parentGuid?: string;
  quantity?: number;
  referenceDesignators?: string[];
  properties?: Record<string, unknown>;
}

export function element(given: object = {}): SentPart {
  made += 1;
  return { guid: randomUUID(), number: `N-${made}`, name: `Part ${made}`, categoryKey: 'part', ...given };
}
