/** Reads that go through much, or have proved to answer with much: one of a workspace at a time. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LongReads } from '../../src/fairness/long-reads.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

const stays = new AbortController().signal;

describe('a long read', () => {
  it('waits for the one of its workspace, and for those of others only where there are too many', async () => {
    const reads = new LongReads({ most: 2, heldMsMax: 600_000 });
    const done: string[] = [];
    const open = new Map<string, () => void>();
    const read = (workspaceId: string, name: string) =>
      reads
        .run(
          { workspaceId, operationId: 'listShortages', isLong: true, isSent: true },
          () => new Promise<void>((end) => open.set(name, end)),
          stays,
        )
        .then(() => done.push(name));
    const all = [read('a', 'a1'), read('a', 'a2'), read('b', 'b1'), read('c', 'c1')];
    expect([reads.held, reads.waiting]).toEqual([2, 2]);
    await expect.poll(() => [...open.keys()]).toEqual(['a1', 'b1']);
    open.get('a1')?.();
    // Who holds nothing comes before who has just had one.
    await expect.poll(() => [...open.keys()]).toEqual(['a1', 'b1', 'c1']);
    open.get('b1')?.();
    await expect.poll(() => [...open.keys()]).toEqual(['a1', 'b1', 'c1', 'a2']);
    open.get('c1')?.();
    open.get('a2')?.();
    await Promise.all(all);
    expect([reads.held, reads.waiting]).toEqual([0, 0]);
  });

  it('lets the next one begin when its reader takes too long', async () => {
    const reads = new LongReads({ most: 1, heldMsMax: 10 });
    const never = new Promise<void>(() => {});
    const slow = { workspaceId: 'a', operationId: 'getTree', isLong: true, isSent: true };
    void reads.run(slow, () => never, stays);
    expect(await reads.run({ ...slow, workspaceId: 'b' }, async () => 'read', stays)).toBe('read');
  });

  it('keeps its place to its end where it sends nothing, however long that takes', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const reads = new LongReads({ most: 1, heldMsMax: 5000 });
    const end = Promise.withResolvers<void>();
    const long = { operationId: 'listAbsentEntities', isLong: true, isSent: false };
    const done: string[] = [];
    const first = reads.run({ ...long, workspaceId: 'a' }, () => end.promise, stays);
    const second = reads.run({ ...long, workspaceId: 'b' }, async () => done.push('b'), stays);
    await vi.advanceTimersByTimeAsync(30_000);
    expect([reads.held, reads.waiting, done]).toEqual([1, 1, []]);
    end.resolve();
    await Promise.all([first, second]);
    expect(done).toEqual(['b']);
  });

  it('is followed by a pause while several workspaces call, which is nobody else’s', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let several = true;
    const reads = new LongReads({ most: 1, areSeveral: () => several });
    const begun: string[] = [];
    /** A read that takes 100 ms when it is begun. */
    const read = async (workspaceId: string, name: string) => {
      const end = Promise.withResolvers<void>();
      const work = () => {
        begun.push(name);
        return end.promise;
      };
      const reading = reads.run(
        { workspaceId, operationId: 'getTree', isLong: true, isSent: true },
        work,
        stays,
      );
      await vi.waitUntil(() => begun.includes(name));
      await vi.advanceTimersByTimeAsync(100);
      end.resolve();
      await reading;
    };
    await read('a', 'a1');
    const again = reads.run(
      { workspaceId: 'a', operationId: 'getTree', isLong: true, isSent: true },
      async () => begun.push('a2'),
      stays,
    );
    await read('b', 'b1');
    expect([begun, reads.held, reads.waiting]).toEqual([['a1', 'b1'], 0, 1]);
    await vi.advanceTimersByTimeAsync(99);
    expect(reads.waiting).toBe(1);
    await vi.advanceTimersByTimeAsync(2);
    await again;
    several = false;
    await read('a', 'a3');
    await read('a', 'a4');
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  });

  it('is one whose operation has answered the workspace with much', async () => {
    const reads = new LongReads({ most: 2 });
    const list = { workspaceId: 'a', operationId: 'listEntities', isSent: false };
    reads.note(list, 100);
    const end = Promise.withResolvers<void>();
    const read = (of: { operationId?: string; workspaceId?: string } = {}) =>
      reads.run({ ...list, ...of, isLong: false }, () => end.promise, stays);
    const all = [read()];
    expect(reads.held).toBe(0);
    reads.note(list, 1024 * 1024);
    all.push(read(), read(), read({ operationId: 'getEntity' }), read({ workspaceId: 'b' }));
    expect([reads.held, reads.waiting]).toEqual([1, 1]);
    end.resolve();
    await Promise.all(all);
    expect([reads.held, reads.waiting]).toEqual([0, 0]);
  });
});

describe('the service', () => {
  let server: TestServer;
  let greedy: DefaultWorkspace;
  let quiet: DefaultWorkspace;
  beforeAll(async () => {
    server = await startTestServer();
    greedy = await makeDefaultWorkspace(server);
    quiet = await makeDefaultWorkspace(server);
  });
  afterAll(() => server.close());

  const addProject = async ({ ask }: DefaultWorkspace) =>
    (await ask('POST', '/entities', { category: 'project', name: 'Bridge' })).body.id as string;

  it('makes a workspace wait for its own long reads, and nobody else', async () => {
    const { longReads } = server.ctx;
    const end = Promise.withResolvers<void>();
    const first = longReads.run(
      { workspaceId: greedy.id, operationId: 'listShortages', isLong: true, isSent: true },
      () => end.promise,
      stays,
    );
    const project = await addProject(greedy);
    const waiting = [
      greedy.ask('GET', `/projects/${project}/shortages`),
      greedy.ask('GET', `/entities/${project}/tree`),
      greedy.ask('POST', `/projects/${project}/shortages/requirements`),
    ];
    await expect.poll(() => longReads.waiting).toBe(3);
    const own = await greedy.ask('GET', `/entities/${project}`);
    const others = await quiet.ask('GET', `/projects/${await addProject(quiet)}/shortages`);
    expect([own.status, others.status, longReads.waiting]).toEqual([200, 200, 3]);
    end.resolve();
    await first;
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 201]);
    await expect.poll(() => longReads.held).toBe(0);
  });

  it('takes a list that has answered with much for a long read', async () => {
    const { longReads } = server.ctx;
    await greedy.addEntities(3, { properties: { Text: 'x"ü\n'.repeat(100_000), Mass: 1.5 } });
    for (const query of ['category=part', 'category=part&sort=number']) {
      const { body } = await greedy.ask('GET', `/entities?${query}`);
      expect(body.items.length).toBeGreaterThan(0);
      // What is passed on as the database has written it is what is read of each alone.
      for (const item of body.items)
        expect((await greedy.ask('GET', `/entities/${item.id}`)).body).toEqual(item);
    }
    expect((await greedy.ask('GET', '/entities')).status).toBe(200);
    const end = Promise.withResolvers<void>();
    const first = longReads.run(
      { workspaceId: greedy.id, operationId: 'getTree', isLong: true, isSent: true },
      () => end.promise,
      stays,
    );
    const list = greedy.ask('GET', '/entities');
    await expect.poll(() => longReads.waiting).toBe(1);
    expect((await quiet.ask('GET', '/entities')).status).toBe(200);
    end.resolve();
    await first;
    expect((await list).status).toBe(200);
  });

  it.runIf(process.platform === 'linux')('lets its event loop go before its threads', async () => {
    // More than what is applied at once, so that the thread which takes bodies in begins.
    const entities = Array.from({ length: 200 }, (_, at) => ({
      E_Guid: `stands-back-${at}`,
      text: 'x'.repeat(1000),
    }));
    const answer = await quiet.ask('POST', '/pdm/sync', { entities }, { Prefer: 'respond-async' });
    expect(answer.status, answer.text).toBeLessThan(300);
    const nameOf = (thread: string) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
    const niceOf = (thread: string) => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
    };
    const threads = readdirSync('/proc/self/task');
    const own = niceOf(String(process.pid));
    const behind = threads.filter((thread) => niceOf(thread) === own + server.ctx.config.THREAD_NICE);
    // Threads begin when they are first needed: here the one that takes bodies in.
    expect(behind.some((thread) => nameOf(thread) !== 'libuv-worker')).toBe(true);
    const decompressing = threads.filter((thread) => nameOf(thread) === 'libuv-worker');
    expect(decompressing.length).toBeGreaterThan(0);
    expect(behind).toEqual(expect.arrayContaining(decompressing));
  });
});
