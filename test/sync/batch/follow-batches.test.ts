/** Streams of events: what they cost is one look for all of them, and how many there are is bounded and shared. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type FollowedBatch, followBatches } from '../../../src/sync/batch/follow-batches.ts';
import type { SyncBatch } from '../../../src/sync/batch/sync.schema.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';
import { element } from '../sync-calls.ts';

const never = new AbortController().signal;

describe('a look', () => {
  const batchOf = (): FollowedBatch => ({ workspaceId: randomUUID(), batchId: randomUUID(), slug: 'w' });
  const seen = (batchId: string) => ({ batchId }) as SyncBatch;

  it('is one for all that follow, each batch once, and tells each its own', async () => {
    const looks: number[] = [];
    const follower = followBatches(async (batches) => {
      looks.push(batches.length);
      return new Map(batches.slice(1).map(({ batchId }) => [batchId, seen(batchId)]));
    });
    const batches = Array.from({ length: 50 }, batchOf);
    const told = await Promise.all([...batches, ...batches].map((batch) => follower.next(batch, never)));
    expect(looks).toEqual([50]);
    // The first of them was not there to be seen.
    const expected = batches.map(({ batchId }, n) => (n === 0 ? null : seen(batchId)));
    expect(told).toEqual([...expected, ...expected]);
    follower.close();
  });

  it('is not waited for by whoever has gone, and ends for all when it fails or the process stops', async () => {
    let looks = 0;
    const follower = followBatches(async () => {
      looks++;
      throw new Error('away');
    });
    const gone = new AbortController();
    const leaving = follower.next(batchOf(), gone.signal);
    gone.abort();
    expect(await leaving).toBe('ended');
    expect(await follower.next(batchOf(), never)).toBe('ended');
    expect(looks).toBe(1);
    const last = follower.next(batchOf(), never);
    follower.close();
    expect([await last, await follower.next(batchOf(), never)]).toEqual(['ended', 'ended']);
    expect(looks).toBe(1);
  });
});

describe('streams of a service', () => {
  let server: TestServer;
  let greedy: DefaultWorkspace;
  let quiet: DefaultWorkspace;

  beforeAll(async () => {
    server = await startTestServer({ environment: { STREAMS_MAX: '8', ANSWER_STALL_SECONDS: '2' } });
    greedy = await makeDefaultWorkspace(server);
    quiet = await makeDefaultWorkspace(server);
  });
  afterAll(() => server.close());

  function open({ slug, key }: DefaultWorkspace, paths: string[]): { socket: Socket; text(): string } {
    const { port, hostname } = new URL(server.baseUrl);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    socket.on('error', () => {});
    for (const path of paths) {
      socket.write(
        `GET /api/wid/${slug}${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${key}\r\n\r\n`,
      );
    }
    return { socket, text: () => text };
  }
  /** No worker runs: the batch stays in line. */
  async function eventsOf({ ask }: DefaultWorkspace): Promise<string> {
    const { body } = await ask('POST', '/pdm/sync', { entities: [element()] }, { Prefer: 'respond-async' });
    return `/pdm/sync/batches/${body.batchId}/events`;
  }

  it('are so many of one workspace and of all, and one more is told to come back', async () => {
    const path = await eventsOf(greedy);
    const streams = Array.from({ length: 4 }, () => open(greedy, [path]));
    for (const { text } of streams) await expect.poll(text, { timeout: 30_000 }).toContain('event: progress');
    const refused = await greedy.ask('GET', path);
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_streams']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Downloads count as well, pages do not.
    const results = path.replace('/events', '/results');
    expect((await greedy.ask('GET', results, undefined, { Accept: 'text/csv' })).status).toBe(429);
    expect((await greedy.ask('GET', results)).status).toBe(200);
    const other = open(quiet, [await eventsOf(quiet)]);
    await expect.poll(other.text, { timeout: 30_000 }).toContain('event: progress');
    for (const { socket } of [...streams, other]) socket.destroy();
    await expect.poll(() => server.ctx.streams.held, { timeout: 30_000 }).toBe(0);
    const again = open(greedy, [path]);
    await expect.poll(again.text, { timeout: 30_000 }).toContain('event: progress');
    again.socket.destroy();
  });

  it('and answers that nobody reads are cut off; one that is only long in coming is not', async () => {
    // More than the buffers of the connection take.
    const [id] = await greedy.addEntities(1, { properties: { text: 'x'.repeat(4_000_000) } });
    const stalled = open(greedy, Array(8).fill(`/entities/${id}`));
    stalled.socket.pause();
    let isCut = false;
    for (const event of ['close', 'error']) stalled.socket.on(event, () => (isCut = true));
    const waiting = greedy.ask('POST', '/pdm/sync', { entities: [element()] }, { Prefer: 'wait=8' });
    // What it sends meanwhile keeps nothing open, and shows here that the connection is gone.
    const sendOn = () => {
      stalled.socket.write('\r\n');
      return isCut;
    };
    await expect.poll(sendOn, { timeout: 60_000, interval: 200 }).toBe(true);
    expect((await waiting).status).toBe(202);
  });
});
