/** A workspace on its way from one installation to another, while it is written to: nothing is lost, nothing is done twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verifyLedger } from '../../src/stock/ledger/verify-ledger.ts';
import { forgetWorkspace } from '../../src/transfer/forget-workspace.ts';
import { cancelMove, moveWorkspace, type Step, steps } from '../../src/transfer/move/move-workspace.ts';
import { leftBehind } from '../../src/transfer/transfer.sql.ts';
import { startHaproxy } from '../setup/haproxy.ts';
import { patience } from '../setup/patience.ts';
import { sendTo } from '../setup/server.ts';
import { makeStockedWorkspace, type StockedWorkspace } from '../stock/stocked-workspace.ts';
import { expectGearbox, makeGearbox } from './gearbox.ts';
import { Callers, type Cell, startTwoCells, type TwoCells } from './two-cells.ts';

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells();
});
afterAll(() => cells?.stop());

const turnWorkspace = fileURLToPath(new URL('../../deploy/haproxy/turn-workspace.ts', import.meta.url));
const urls = (from: Cell, to: Cell) => ({ from: from.url, to: to.url });

async function statesOf(id: string): Promise<(string | undefined)[]> {
  const of = async ({ owner }: Cell) =>
    (await owner.query('select state from workspace where id = $1', [id])).rows[0]?.state;
  return [await of(cells.first), await of(cells.second)];
}

/** Everything that was taken is there, once. */
async function expectAll(workspace: StockedWorkspace, callers: Callers): Promise<void> {
  const { owner, server } = callers.at;
  const rows = async (sql: string) => (await owner.query(sql, [workspace.id])).rows;
  for (const id of callers.batches) {
    const ended = async () => (await callers.read(`/pdm/sync/batches/${id}`)).body.status;
    await expect.poll(ended).toBe('completed');
  }
  const [parts] = await rows(
    `select count(*)::int as count from entity where workspace_id = $1 and guid is not null`,
  );
  expect(parts.count).toBe(30 * callers.batches.length);
  // Also those are searched for that a subscription brought, for which most triggers do not run.
  const unsearchable = await rows(
    `select id from entity e where workspace_id = $1 and not exists (
       select from entity_text t where t.workspace_id = $1 and e.id = any(t.ids)
         and strpos(t.lines, E'\\n' || entity_line(e.number, e.name) || E'\\n') > 0)`,
  );
  expect(unsearchable).toEqual([]);
  // In the order in which they were accepted, wherever that was.
  const batches = await rows(`select id from sync_batch where workspace_id = $1 order by finished_at`);
  expect(batches.map(({ id }) => id)).toEqual(callers.batches);
  const positions = await rows(
    `select item_id, on_hand::int as count from stock_position where workspace_id = $1`,
  );
  const counts = new Map(positions.map(({ item_id, count }) => [item_id, count]));
  expect(workspace.items.map((item) => counts.get(item) ?? 0)).toEqual(callers.adjusted);
  await vi.waitUntil(async () => {
    const [left] = await rows(
      `select count(*)::int as count from outbox where workspace_id = $1 and not automation_done`,
    );
    return left.count === 0;
  }, patience);
  const runs = await rows(`select count(*)::int as count from automation_run where workspace_id = $1`);
  expect(runs[0].count).toBe(callers.batches.length);
  expect(await verifyLedger(server.ctx.db, workspace.id)).toMatchObject({ ok: true, problems: [] });
}

/** With an automation that runs once for each batch. */
async function makeWatched(items: number): Promise<StockedWorkspace> {
  const workspace = await makeStockedWorkspace(cells.first.server, { items, locations: 1 });
  const made = await workspace.ask('POST', '/automations', {
    name: 'Counts',
    contextTypeId: 2,
    script: 'api.log.info(context.batchId)',
  });
  expect(made.status, made.text).toBe(201);
  return workspace;
}

test('it is moved under load: callers see 503 with Retry-After and nothing else, and what waits goes on there', async () => {
  const { first, second } = cells;
  const workspace = await makeWatched(4);
  const callers = new Callers(first, workspace);
  callers.start();
  await expect.poll(() => callers.batches.length).toBeGreaterThan(5);
  let published: string[] = [];
  // As where a workspace has left and PostgreSQL has counted before it made room: any index is then as good as any other.
  await second.owner.query(
    `select pg_restore_relation_stats('schemaname', 'public', 'relname', 'entity', 'relpages', 100, 'reltuples', 0::real)`,
  );
  let counted = 0;
  const moved = await moveWorkspace(urls(first, second), workspace.slug, {
    movedTo: 'https://second.example',
    onStep: async (step) => {
      if (step === 'copy') {
        const { rows } = await first.owner.query('select tablename from pg_publication_tables');
        published = rows.map(({ tablename }) => tablename);
      }
      if (step === 'subscribe') {
        const { rows } = await second.owner.query(
          `select reltuples from pg_class where oid = 'entity'::regclass`,
        );
        counted = rows[0].reltuples;
      }
      if (step === 'unsubscribe') await callers.turnTo(second);
    },
  });
  expect(counted).toBeGreaterThan(0);
  const before = callers.batches.length;
  await expect.poll(() => callers.batches.length).toBeGreaterThan(before + 3);
  await callers.stop();

  expect(callers.refused.length).toBeGreaterThan(0);
  for (const refusal of callers.refused)
    expect(refusal).toEqual({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
  await expectAll(workspace, callers);
  expect(moved.ledger?.entries).toBeGreaterThan(0);
  expect(await statesOf(workspace.id)).toEqual(['gone', 'active']);
  const asked = await first.server.request(`/api/wid/${workspace.slug}/entities`, { key: workspace.key });
  expect(asked.body).toMatchObject({ code: 'workspace_gone', movedTo: 'https://second.example' });

  const { rows: tenants } = await first.owner.query(
    `select c.relname as table_name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  expect([...published, ...Object.keys(leftBehind)].sort()).toEqual(
    tenants.map(({ table_name }) => table_name).sort(),
  );
  for (const { owner } of [first, second]) {
    const left = await owner.query(
      'select from pg_publication union all select from pg_subscription union all select from pg_replication_slots',
    );
    expect(left.rowCount).toBe(0);
  }
  expect((await forgetWorkspace(first.owner, workspace.slug)).rows).toBeGreaterThan(100);
  await expectAll(workspace, callers);
});

test('structures are known there as they were: designators, pictures, lines and released revisions, of before and after the copy', async () => {
  const { first, second } = cells;
  const workspace = await makeStockedWorkspace(first.server, { items: 4, locations: 0 });
  const [parent, changed, removed, made] = workspace.items;
  const use = async (
    method: 'PUT' | 'DELETE',
    child: string | undefined,
    referenceDesignators?: string[],
  ) => {
    const body = referenceDesignators && { quantity: 1, referenceDesignators };
    const answer = await workspace.ask(method, `/entities/${parent}/uses/${child}`, body);
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  await use('PUT', changed, ['R1', 'R2']);
  await use('PUT', removed, ['R3', 'R4']);
  const gearboxes = [await makeGearbox(first.server, workspace)];
  await moveWorkspace(urls(first, second), workspace.slug, {
    movedTo: null,
    onStep: async (step) => {
      // What is written from here on is not in the copy: the subscription brings it.
      if (step !== 'catch up') return;
      await use('PUT', changed, ['R2', 'R9']);
      await use('DELETE', removed);
      await use('PUT', made, ['R3', 'C1']);
      gearboxes.push(await makeGearbox(first.server, workspace));
    },
  });
  const found = async (designator: string) => {
    const path = `/api/wid/${workspace.slug}/uses?referenceDesignator=${designator}`;
    const answer = await second.server.request(path, { key: workspace.key });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.items.map((one: { childEntityId: string }) => one.childEntityId);
  };
  const names = ['R1', 'R2', 'R3', 'R4', 'R9', 'C1'];
  expect(await Promise.all(names.map(found))).toEqual([[], [changed], [made], [], [changed], [made]]);
  expect(gearboxes).toHaveLength(2);
  for (const gearbox of gearboxes) await expectGearbox(gearbox, second.server, workspace);
});

test('behind one address the map of the balancer is turned with the move: no call is told that it is gone', async () => {
  const { first, second } = cells;
  const workspace = await makeWatched(2);
  const port = ({ server }: Cell) => Number(new URL(server.baseUrl).port);
  const balancer = await startHaproxy('cells.cfg', {
    'cell1-web1': port(first),
    'cell2-web1': port(second),
  });
  try {
    const turn = (cell: string) => `${process.execPath} ${turnWorkspace} ${cell}`;
    const callers = new Callers(first, workspace, balancer.url);
    callers.start();
    // There and back: the second time the map has an entry for it.
    for (const [from, to, cell] of [
      [first, second, 'cell-2'],
      [second, first, 'cell-1'],
    ] as const) {
      const soFar = callers.batches.length;
      await expect.poll(() => callers.batches.length).toBeGreaterThan(soFar + 2);
      const environment = {
        DATABASE_MIGRATION_URL: from.url,
        MOVE_TARGET_URL: to.url,
        ...balancer.environment,
      };
      // What cannot be turned stays where callers can be told of it; done again it goes on.
      const failed = await runWorkspaceCommand(['move', workspace.slug], {
        ...environment,
        MOVE_TURN_COMMAND: 'read slug; exit 1',
      });
      expect(failed).toMatchObject({
        code: 2,
        said: expect.stringContaining('MOVE_TURN_COMMAND ended with 1'),
      });
      expect((await statesOf(workspace.id)).sort()).toEqual(['active', 'moving']);
      const moved = await runWorkspaceCommand(['move', workspace.slug], {
        ...environment,
        MOVE_TURN_COMMAND: turn(cell),
      });
      expect(moved, moved.said).toMatchObject({ code: 0 });
      callers.at = to;
      await forgetWorkspace(from.owner, workspace.slug, { withName: true });
    }
    // Whichever cell is asked first.
    for (let tries = 0; tries < 2; tries++) {
      const session = await sendTo(balancer.url, '/api/sessions', { body: { key: workspace.key } });
      expect(session.status, session.text).toBe(201);
    }
    await callers.stop();
    expect(callers.refused.length).toBeGreaterThan(0);
    for (const refusal of callers.refused)
      expect(refusal).toEqual({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
    await expectAll(workspace, callers);

    // Of several that are turned at once each is in the map of the next start.
    const slugs = Array.from({ length: 6 }, (_, at) => `moved-${at}`);
    const turns = slugs.map(() =>
      spawn('/bin/sh', ['-c', turn('cell-2')], {
        env: { PATH: process.env.PATH, ...balancer.environment },
        stdio: ['pipe', 'inherit', 'inherit'],
      }),
    );
    const ended = turns.map((child) => once(child, 'exit'));
    for (const [at, child] of turns.entries()) child.stdin.end(`${slugs[at]}\n`);
    expect((await Promise.all(ended)).map(([code]) => code)).toEqual(slugs.map(() => 0));
    const map = await readFile(balancer.environment.HAPROXY_CELLS, 'utf8');
    expect(map.split('\n')).toEqual(expect.arrayContaining(slugs.map((slug) => `${slug} cell-2`)));
  } finally {
    await balancer.stop();
  }
});

test('a call that was on its way to where its workspace has just left gets 503 from the balancer, and is taken when it is sent again', async () => {
  const { first, second } = cells;
  const workspace = await makeStockedWorkspace(first.server);
  const [item, location] = [workspace.items[0], workspace.locations[0]];
  const adjustment = { itemEntityId: item, locationEntityId: location, quantity: 1 };
  const port = ({ server }: Cell) => Number(new URL(server.baseUrl).port);
  const balancer = await startHaproxy('cells.cfg', {
    'cell1-web1': port(first),
    'cell2-web1': port(second),
  });
  const turnTo = async (cell: string) => {
    const child = spawn(process.execPath, [turnWorkspace, cell, workspace.slug], {
      env: { PATH: process.env.PATH, ...balancer.environment },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    expect((await once(child, 'exit'))[0]).toBe(0);
  };
  const path = `/api/wid/${workspace.slug}/stock/adjustments`;
  try {
    const late = await holdCall(`${balancer.url}${path}`, workspace.key);
    // What was asked behind it is answered: it has been let in, and lacks its body.
    for (let calls = 0; calls < 3; calls++)
      expect((await workspace.adjust(item, location, 1)).status).toBe(201);
    await moveWorkspace(urls(first, second), workspace.slug, {
      movedTo: 'https://second.example',
      onStep: async (step) => {
        if (step === 'unsubscribe') await turnTo('cell-2');
      },
    });
    expect(await late(adjustment)).toMatchObject({
      status: 503,
      retryAfter: '1',
      body: { title: 'The workspace has just moved' },
    });
    const again = await sendTo(balancer.url, path, { key: workspace.key, body: adjustment });
    expect(again.status, again.text).toBe(201);
    expect(again.body.position.onHand).toBe(4);

    // Where the balancer itself still sends it to where it is gone, that is the truth.
    await turnTo('cell-1');
    const gone = await sendTo(balancer.url, path, { key: workspace.key, body: adjustment });
    expect(gone).toMatchObject({
      status: 410,
      body: { code: 'workspace_gone', movedTo: 'https://second.example' },
    });
  } finally {
    await balancer.stop();
  }
});

/** A call that has arrived but for its body; resolves to what sends that and reads the answer. */
async function holdCall(url: string, key: string) {
  const call = request(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
      // Who answers this has read the head.
      Expect: '100-continue',
    },
  });
  call.flushHeaders();
  await once(call, 'continue');
  return async (body: object) => {
    const answered = once(call, 'response') as Promise<[IncomingMessage]>;
    call.end(JSON.stringify(body));
    const [answer] = await answered;
    return {
      status: answer.statusCode,
      retryAfter: answer.headers['retry-after'],
      body: JSON.parse(await text(answer)),
    };
  };
}

async function runWorkspaceCommand(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; said: string }> {
  const command = fileURLToPath(new URL('../../src/transfer/commands/workspace.command.ts', import.meta.url));
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString();
  });
  const [code] = await once(child, 'close');
  return { code, said };
}

test('killed at any step it is worked on in one place; moved again or cancelled, nothing is lost and no batch runs twice', async () => {
  const seed = Number(process.env.MOVE_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const workspace = await makeWatched(1);
  const callers = new Callers(cells.first, workspace);
  callers.start();
  let [here, there] = [cells.first, cells.second];
  // Each is long, because callers go on between: a few of them, others with each run, or all.
  const killed = steps.filter((_, at) => process.env.MOVE_KILLS === 'all' || (seed + at) % 3 === 0);
  for (const [at, step] of killed.entries()) {
    const context = `MOVE_SEED=${seed}, killed at "${step}"`;
    const soFar = callers.batches.length;
    await expect.poll(() => callers.batches.length, { message: context }).toBeGreaterThan(soFar);
    await moveAndDie(workspace.slug, here, there, step);
    const [mine, other] = await statesOf(workspace.id);
    expect([mine, other].filter((state) => state === 'active').length, context).toBeLessThan(2);
    const isThere = (here === cells.first ? other : mine) === 'active';
    const cancels = !isThere && ((seed >> at) & 1) === 1;
    // Until the servers have noticed the death, the move is still somebody's.
    await vi.waitFor(async () => {
      if (cancels) await cancelMove(urls(here, there), workspace.slug);
      else await goOn(callers, workspace.slug, here, there);
    }, patience);
    if (!cancels) {
      await forgetWorkspace(here.owner, workspace.slug, { withName: true });
      [here, there] = [there, here];
    }
    const served = callers.batches.length;
    await expect.poll(() => callers.batches.length, { message: context }).toBeGreaterThan(served);
  }
  await callers.stop();
  for (const { status } of callers.refused) expect([410, 503]).toContain(status);
  await expectAll(workspace, callers);
}, 600_000);

async function goOn(callers: Callers, slug: string, from: Cell, to: Cell): Promise<void> {
  await moveWorkspace(urls(from, to), slug, {
    movedTo: null,
    onStep: async (step) => {
      if (step === 'unsubscribe') await callers.turnTo(to);
    },
  });
}

async function moveAndDie(slug: string, from: Cell, to: Cell, step: Step): Promise<void> {
  const script = fileURLToPath(new URL('run-move.script.ts', import.meta.url));
  const environment = { MOVE_FROM: from.url, MOVE_TO: to.url, MOVE_SLUG: slug, MOVE_DIES_AT: step };
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
}

test.each([
  ['a row', 'delete from api_key where workspace_id = $1', /other numbers of rows: api_key/],
  [
    'another ledger',
    `update stock_position set hash = sha256(hash) where workspace_id = $1`,
    /another ledger|other numbers/,
  ],
])('where the other side lacks or has %s it stays, and is served on', async (_what, damage, reason) => {
  const { first, second } = cells;
  const workspace = await makeStockedWorkspace(first.server);
  const [item, location] = [workspace.items[0], workspace.locations[0]];
  expect((await workspace.adjust(item, location, 5)).status).toBe(201);
  const move = moveWorkspace(urls(first, second), workspace.slug, {
    movedTo: null,
    onStep: async (step) => {
      if (step === 'prove') await second.owner.query(damage, [workspace.id]);
    },
  });
  await expect(move).rejects.toThrow(reason);
  expect(await statesOf(workspace.id)).toEqual(['active', 'moving']);
  expect((await workspace.adjust(item, location, 1)).status).toBe(201);
  await cancelMove(urls(first, second), workspace.slug);
  expect(await statesOf(workspace.id)).toEqual(['active', undefined]);
  await workspace.expectConsistent();
});

test('what has arrived is not cancelled, and a slug that is taken there is no way in', async () => {
  const { first, second } = cells;
  const workspace = await makeStockedWorkspace(first.server);
  await second.server.createWorkspace(workspace.slug);
  await expect(moveWorkspace(urls(first, second), workspace.slug, { movedTo: null })).rejects.toThrow(
    /another workspace has the slug/,
  );
  expect(await statesOf(workspace.id)).toEqual(['active', undefined]);
  await cancelMove(urls(first, second), workspace.slug);
  await second.owner.query('update workspace set slug = $2 where slug = $1', [
    workspace.slug,
    `x${workspace.slug}`,
  ]);
  await moveWorkspace(urls(first, second), workspace.slug, { movedTo: null });
  await expect(cancelMove(urls(first, second), workspace.slug)).rejects.toThrow(/worked on there already/);
  expect(await statesOf(workspace.id)).toEqual(['gone', 'active']);
});
