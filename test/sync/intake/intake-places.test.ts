/** Uploads that trickle, of many workspaces at once, and what others get to send meanwhile. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CostAccounts } from '../../../src/fairness/cost-accounts.ts';
import { IntakePlaces, type PlaceLimits, SMALL_BYTES_MAX } from '../../../src/sync/intake/intake-places.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';
import { element } from '../sync-calls.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** An upload of which some is sent, and its answer so far. */
function upload(
  { slug, key }: DefaultWorkspace,
  sent: string,
  to: TestServer,
): { socket: Socket; answer(): string } {
  const url = new URL(to.baseUrl);
  const socket = connect(Number(url.port), url.hostname);
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes;
  });
  socket.on('error', () => {});
  const head = [
    `POST /api/wid/${slug}/pdm/sync HTTP/1.1`,
    'Host: test',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/x-ndjson',
    'Transfer-Encoding: chunked',
    'Prefer: respond-async',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${sent.length.toString(16)}\r\n${sent}\r\n`);
  return { socket, answer: () => answer };
}

const line = () => `${JSON.stringify(element())}\n`;

describe('hundreds of uploads that trickle, of five workspaces', () => {
  it('leave room for the syncs of a sixth, small and large, while they are all still open', async () => {
    const { places } = server.ctx.webPool;
    const greedy = await Promise.all(Array.from({ length: 5 }, () => makeDefaultWorkspace(server)));
    const quiet = await makeDefaultWorkspace(server);
    const start = line();
    const uploads = greedy.flatMap((one) => Array.from({ length: 64 }, () => upload(one, start, server)));
    await expect.poll(() => places.large.waiting, { timeout: 60_000 }).toBeGreaterThan(100);
    const empty = await quiet.ask('POST', '/pdm/sync', { entities: [] });
    const small = await quiet.ask(
      'POST',
      '/pdm/sync',
      { entities: [element()] },
      { Prefer: 'respond-async' },
    );
    const lines = line().repeat(1 + Math.ceil((2 * SMALL_BYTES_MAX) / line().length));
    const large = await quiet.ask('POST', '/pdm/sync', lines, {
      'Content-Type': 'application/x-ndjson',
      Prefer: 'respond-async',
    });
    expect([empty.status, small.status, large.status]).toEqual([200, 202, 202]);
    expect(uploads.filter(({ answer }) => answer() !== '')).toEqual([]);
    expect(places.large.waiting).toBeGreaterThan(100);
    for (const { socket } of uploads) socket.destroy();
    const used = () => [places.heads, places.small, places.large].map(({ held, waiting }) => held + waiting);
    await expect.poll(used, { timeout: 60_000 }).toEqual([0, 0, 0]);
  });
});

describe('the least rate of arrival', () => {
  it('ends an upload below it with 408 and the rate, and not one above it', async () => {
    const environment = { UPLOAD_RATE_WINDOW_SECONDS: '2', UPLOAD_BYTES_PER_SECOND_MIN: '100' };
    const strict = await startTestServer({ environment });
    onTestFinished(() => strict.close());
    const workspace = await makeDefaultWorkspace(strict);
    const slow = upload(workspace, line(), strict);
    const steady = upload(workspace, line(), strict);
    const sending = setInterval(() => {
      const sent = line();
      steady.socket.write(`${sent.length.toString(16)}\r\n${sent}\r\n`);
    }, 100);
    onTestFinished(() => clearInterval(sending));
    await expect.poll(slow.answer, { timeout: 60_000 }).toMatch(/^HTTP\/1.1 408 /);
    expect(slow.answer()).toContain('"code":"request_timeout"');
    expect(slow.answer()).toContain('"limit":100');
    expect(steady.answer()).toBe('');
    clearInterval(sending);
    steady.socket.write('0\r\n\r\n');
    await expect.poll(steady.answer, { timeout: 60_000 }).toMatch(/^HTTP\/1.1 202 /);
  });
});

describe('places', () => {
  const limits: PlaceLimits = {
    heads: 4,
    small: 1,
    large: 2,
    waitingMax: 2,
    patienceMs: 60_000,
    costs: new CostAccounts(),
  };
  const never = new AbortController().signal;

  /** A body of one byte a piece, whose sender brings them when told. */
  function body(cut = never) {
    const { promise, resolve } = Promise.withResolvers<void>();
    async function* read(ended: AbortSignal) {
      yield Buffer.alloc(SMALL_BYTES_MAX + 1);
      if (ended.aborted) return;
      await Promise.race([promise, new Promise((done) => ended.addEventListener('abort', done))]);
    }
    return { source: { read, cut }, end: resolve };
  }
  const readAll = async (pieces: AsyncIterable<Uint8Array>) => {
    let length = 0;
    for await (const piece of pieces) length += piece.length;
    return length;
  };
  const work = ({ read }: { read(ended: AbortSignal): AsyncIterable<Uint8Array> }) => readAll(read(never));

  it('of large bodies go to another workspace before the second of the same', async () => {
    const places = new IntakePlaces(limits);
    const bodies = Array.from({ length: 3 }, () => body());
    const [first, second, other] = bodies.map(({ source }, n) => places.run(n < 2 ? 'a' : 'b', source, work));
    await expect.poll(() => [places.large.held, places.large.waiting]).toEqual([2, 1]);
    bodies[2]?.end();
    expect(await other).toBe(SMALL_BYTES_MAX + 1);
    bodies[0]?.end();
    bodies[1]?.end();
    expect(await Promise.all([first, second])).toEqual(Array(2).fill(SMALL_BYTES_MAX + 1));
    expect([places.heads.held, places.small.held, places.large.held]).toEqual([0, 0, 0]);
  });

  it('of small bodies are one at a time, with a pause behind it, for who keeps the machine busy while a light one calls', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const costs = new CostAccounts({ pauses: 'always' });
    const places = new IntakePlaces({ ...limits, small: 10, costs });
    costs.called('heavy');
    costs.charge('heavy', 1_000_000);
    costs.called('light');
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const send = (workspaceId: string, name: string) => {
      const source = { ...body().source, arrived: () => Buffer.from('{}') };
      return places.run(workspaceId, source, () => {
        begun.push(name);
        return new Promise<void>((end) => ends.push(end));
      });
    };
    const all = [send('heavy', 'h1'), send('heavy', 'h2'), send('light', 'l1'), send('light', 'l2')];
    await vi.advanceTimersByTimeAsync(100);
    for (const end of ends) end();
    await vi.advanceTimersByTimeAsync(290);
    expect([begun, places.small.held, places.small.waiting]).toEqual([['h1', 'l1', 'l2'], 0, 1]);
    await vi.advanceTimersByTimeAsync(20);
    expect(begun).toEqual(['h1', 'l1', 'l2', 'h2']);
    // Nobody who is light has called for a second: the next ones go side by side.
    await vi.advanceTimersByTimeAsync(2000);
    all.push(send('heavy', 'h3'), send('heavy', 'h4'));
    await vi.advanceTimersByTimeAsync(0);
    expect(begun.slice(4)).toEqual(['h3', 'h4']);
    for (const end of ends) end();
    await Promise.all(all);
    expect([places.small.held, places.small.waiting]).toEqual([0, 0]);
  });

  it('are given back when the sender goes, and refused when too many wait', async () => {
    const places = new IntakePlaces({ ...limits, heads: 100 });
    const gone = new AbortController();
    const first = body();
    const running = places.run('a', first.source, work);
    const waits = [body(gone.signal), body()].map(({ source }) => places.run('a', source, work));
    for (const one of waits) one.catch(() => {});
    await expect.poll(() => places.large.waiting).toBe(2);
    await expect(places.run('a', body().source, work)).rejects.toMatchObject({
      code: 'too_many_batches',
      headers: { 'Retry-After': '10' },
    });
    gone.abort(new Error('the sender has gone'));
    await expect(waits[0]).rejects.toThrow('the sender has gone');
    first.end();
    await running;
    await expect.poll(() => [places.large.held, places.large.waiting]).toEqual([1, 0]);
  });
});
