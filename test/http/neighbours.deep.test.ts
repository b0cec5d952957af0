/** One workspace uses up whatever it can of a process, and another's calls go on: no call waits for a stranger's. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CallsInHand } from '../../src/fairness/calls-in-hand.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

/** Longer than any run of these tests: what waits goes on waiting until a test lets it go. */
const FOREVER_MS = '600000';
let server: TestServer;
let greedy: DefaultWorkspace;
let quiet: DefaultWorkspace;

beforeAll(async () => {
  server = await startTestServer({
    environment: {
      LOCK_TIMEOUT_MS: FOREVER_MS,
      CONNECTION_PATIENCE_MS: FOREVER_MS,
      SCRIPT_CPU_MS: FOREVER_MS,
      SCRIPT_WALL_MS: FOREVER_MS,
    },
  });
  greedy = await makeDefaultWorkspace(server);
  quiet = await makeDefaultWorkspace(server);
});

/** Calls of the greedy one that have been answered. */
function started(calls: Promise<TestAnswer>[]): { answered(): number; all: Promise<TestAnswer[]> } {
  let answered = 0;
  for (const call of calls) call.then(() => answered++).catch(() => {});
  return { answered: () => answered, all: Promise.all(calls) };
}

/** Reads, writes and the operator's calls of others, one after the other; all of them are answered. */
async function othersGoOn(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const read = await quiet.ask('GET', '/entities');
    const written = await quiet.ask('POST', '/entities', { category: 'part', name: 'Bolt' });
    const listed = await server.request('/api/workspaces', { key: server.ctx.operatorToken });
    expect([read.status, written.status, listed.status]).toEqual([200, 201, 200]);
  }
}

/** Holds the row of an entity as long as `work` takes. */
async function lockedBeside<T>({ ctx }: TestServer, entityId: string, work: () => Promise<T>): Promise<T> {
  const locker = new Client({ connectionString: ctx.databaseUrl });
  await locker.connect();
  try {
    await locker.query('begin');
    await locker.query('select from entity where id = $1 for update', [entityId]);
    return await work();
  } finally {
    await locker.end();
  }
}

describe('calls that wait for a row that is locked', () => {
  const nut = { category: 'part', name: 'Nut' };

  it('hold nobody up but their own workspace', async () => {
    const { body } = await greedy.ask('POST', '/entities', nut);
    const waiting = await lockedBeside(server, body.id, async () => {
      const rename = (name: string) => greedy.ask('PATCH', `/entities/${body.id}`, { name });
      const calls = started(Array.from({ length: 20 }, (_, n) => rename(`Nut ${n}`)));
      await expect.poll(() => server.ctx.db.shares.waiting).toBeGreaterThan(0);
      await othersGoOn();
      expect(calls.answered()).toBe(0);
      return calls;
    });
    const answers = await waiting.all;
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  });

  it('are told to come back when it is not let go in time, and have done nothing', async () => {
    const environment = { LOCK_TIMEOUT_MS: '300', CONNECTION_PATIENCE_MS: '100' };
    const impatient = await startTestServer({ environment });
    onTestFinished(() => impatient.close());
    const { ask } = await makeDefaultWorkspace(impatient);
    const { body } = await ask('POST', '/entities', nut);
    const rename = (n: number) => ask('PATCH', `/entities/${body.id}`, { name: `Nut ${n}` });
    const answers = await lockedBeside(impatient, body.id, () =>
      Promise.all(Array.from({ length: 20 }, (_, n) => rename(n))),
    );
    // Those that waited for the row, and those that waited for a connection meanwhile.
    const codes = new Set(answers.map((answer) => `${answer.status} ${answer.body.code}`));
    expect(codes).toEqual(new Set(['409 lock_timeout', '503 unavailable']));
    for (const { headers } of answers) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask('GET', `/entities/${body.id}`)).body.name).toBe('Nut');
    expect((await rename(1)).status).toBe(200);
  });
});

describe('what a workspace costs', () => {
  it('is what its batches, tested scripts and long reads take, and nothing of its small reads', async () => {
    const { costs } = server.ctx;
    /** Asked by a workspace that has cost nothing so far. */
    const costOf = async (call: (one: DefaultWorkspace, project: string) => Promise<TestAnswer>) => {
      const one = await makeDefaultWorkspace(server);
      const { body } = await one.ask('POST', '/entities', { category: 'project', name: 'Bridge' });
      const before = costs.msOf(one.id);
      const { status } = await call(one, body.id);
      return { status, before, isDear: costs.msOf(one.id) > 0 };
    };
    const entities = [{ guid: randomUUID(), number: 'B-1', name: 'Beam', categoryKey: 'part' }];
    const script = 'let sum = 0; for (let at = 0; at < 1e6; at++) sum += at; return sum;';
    const costing = await Promise.all([
      costOf(({ ask }) => ask('POST', '/pdm/sync', { entities })),
      costOf(({ ask }) => ask('POST', '/automations/test', { script })),
      costOf(({ ask }, project) => ask('GET', `/projects/${project}/shortages`)),
    ]);
    expect(costing).toEqual(Array(3).fill({ status: 200, before: 0, isDear: true }));
    const refused = await costOf(({ ask }) => ask('POST', '/pdm/sync', { entities: 7 }));
    expect(refused).toEqual({ status: 422, before: 0, isDear: true });
    const read = await costOf(({ ask }, project) => ask('GET', `/entities/${project}`));
    expect(read).toEqual({ status: 200, before: 0, isDear: false });
  });
});

describe('scripts that wait for a thread', () => {
  it('hold no connection meanwhile, be they tested or only compiled', async () => {
    const { share: scriptThreads } = server.ctx.scriptThreads;
    const looping = [greedy, await makeDefaultWorkspace(server)];
    const third = await makeDefaultWorkspace(server);
    const busy = started(looping.map(({ ask }) => ask('POST', '/automations/test', { script: 'for (;;);' })));
    await expect.poll(() => scriptThreads.held).toBe(2);
    const automation = { name: 'Waits', contextTypeId: 3, script: 'return 1' };
    const compile = ({ ask }: DefaultWorkspace) => ask('POST', '/automations', automation);
    const waiting = started([third, greedy].flatMap((one) => Array.from({ length: 8 }, () => compile(one))));
    await expect.poll(() => scriptThreads.waiting).toBe(16);
    await othersGoOn();
    expect([busy.answered(), waiting.answered()]).toEqual([0, 0]);
    // Ends the scripts that loop, and with them the wait of the others.
    await server.close();
    await Promise.allSettled([busy.all, waiting.all]);
    expect([scriptThreads.held, scriptThreads.waiting]).toEqual([0, 0]);
  });
});

describe('calls of one workspace', () => {
  /** A call that goes on until it is told to end. */
  function caller(calls: CallsInHand) {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const call = (key: string, name: string) =>
      calls.run({ credential: key, from: 'here' }, async (know) => {
        know(`workspace of ${key.slice(0, 1)}`);
        begun.push(name);
        await new Promise<void>((end) => ends.set(name, end));
      });
    return { begun, ends, call };
  }

  it('are all in hand while nobody else calls, and few of them when others do', async () => {
    const calls = new CallsInHand({ ofOneMax: 2, heldMsMax: 600_000 });
    const { begun, ends, call } = caller(calls);
    const first = [call('a', 'a'), call('a2', 'a2')];
    await expect.poll(() => begun).toEqual(['a', 'a2']);
    for (const end of ends.values()) end();
    await Promise.all(first);
    const all = ['1', '2', '3', '4'].map((name) => call('a', name));
    expect(begun).toEqual(['a', 'a2', '1', '2', '3', '4']);
    // Nobody knows yet whose it is; the next one is known to be another's.
    const other = call('b', 'b');
    await expect.poll(() => begun.at(-1)).toBe('b');
    ends.get('b')?.();
    await other;
    all.push(call('b', 'other'), ...['5', '6', '7'].map((name) => call(name === '6' ? 'a2' : 'a', name)));
    all.push(call('b', 'another'));
    // Two keys of a workspace are the workspace's.
    await expect.poll(() => begun.slice(7)).toEqual(['other', '5', '6', 'another']);
    ends.get('5')?.();
    await expect.poll(() => begun.at(-1)).toBe('7');
    for (const end of ends.values()) end();
    await Promise.all(all);
    expect([calls.held, calls.waiting]).toEqual([0, 0]);
  });

  it('of strangers hold up those of their own address alone', async () => {
    const calls = new CallsInHand({ ofOneMax: 1, heldMsMax: 600_000 });
    const ends: (() => void)[] = [];
    const from = (address: string, credential: string) =>
      calls.run({ credential, from: address }, () => new Promise<void>((end) => ends.push(end)));
    const all = [from('1.2.3.4', 'x'), from('1.2.3.4', 'y'), from('5.6.7.8', 'z')];
    await expect.poll(() => ends.length).toBe(2);
    expect([calls.held, calls.waiting]).toEqual([2, 1]);
    for (const end of ends) end();
    await expect.poll(() => ends.length).toBe(3);
    for (const end of ends) end();
    await Promise.all(all);
  });

  it('are fewer in hand the less time the loop has left', async () => {
    let load = 0.5;
    const calls = new CallsInHand({ ofOneMax: 4, heldMsMax: 600_000, loopLoad: () => load });
    const { begun, ends, call } = caller(calls);
    /** Of eight calls beside another's, how many are begun before one of them ends. */
    const begunOf = async (round: string) => {
      const names = Array.from({ length: 8 }, (_, at) => `${round} ${at}`);
      const all = ['b', ...names].map((name, at) => call(at === 0 ? 'b' : 'a', name));
      await new Promise((resolve) => setImmediate(resolve));
      const count = begun.filter((name) => names.includes(name)).length;
      const settled = Promise.all(all);
      let isOver = false;
      void settled.then(() => {
        isOver = true;
      });
      while (!isOver) {
        for (const end of ends.values()) end();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return count;
    };
    // At first nobody knows whose they are.
    await begunOf('strange');
    expect(await begunOf('idle')).toBe(4);
    load = 1;
    await begunOf('filling');
    expect(await begunOf('full')).toBe(2);
    load = 0.5;
    await begunOf('emptying');
    expect(await begunOf('empty')).toBe(4);
  });

  it('give their place up when they wait for something else', async () => {
    const calls = new CallsInHand({ ofOneMax: 1, heldMsMax: 10 });
    const { begun, ends, call } = caller(calls);
    const all = ['1', '2', '3'].map((name) => call('a', name));
    await expect.poll(() => begun).toEqual(['1', '2', '3']);
    for (const end of ends.values()) end();
    await Promise.all(all);
  });
});
