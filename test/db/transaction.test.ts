/** Statements that are sent without waiting for those before them, and connections that die under a transaction. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { wireOf } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { connectDb, type Db } from '../../src/db/connect.ts';
import { connectMapped } from '../../src/db/connect-mapped.ts';
import { newId } from '../../src/db/ids.ts';
import { isServerAway } from '../../src/db/server-away.ts';
import { type AnyTx, inTransaction, type Tx } from '../../src/db/transaction.ts';
import { workInTurn } from '../../src/db/turns/work-in-turn.ts';
import { everyResult } from '../../src/sync/elements/filter-results.ts';
import { postMessage } from '../../src/webhooks/post-message.ts';
import { createTestContext } from '../setup/server.ts';

const POOL_MAX = 2;
let db: Db;
let databaseUrl: string;
let context: Context;
let close: () => Promise<void>;
/** Two that are there: a transaction is let into no other. */
const [workspaceId, otherId] = [newId(), newId()];

beforeAll(async () => {
  const made = await createTestContext();
  context = made.ctx;
  databaseUrl = context.databaseUrl;
  const options = {
    url: context.databaseUrl,
    poolMax: POOL_MAX,
    applicationName: 'test',
    wire: wireOf(context.config),
    log: { warn: () => {} },
  };
  db = await connectMapped(options, []);
  await inTransaction(db, 'instance', (tx) =>
    tx.query(
      `insert into workspace (id, slug, name) select id, 'w-' || id, 'W' from unnest($1::uuid[]) as id`,
      [[workspaceId, otherId]],
    ),
  );
  close = async () => {
    await db.close();
    await made.close();
  };
});
afterAll(() => close());

/** By the login itself: the role that work runs as may not end its connection. */
async function kill(tx: AnyTx): Promise<void> {
  const [, killing] = [tx.query('reset role'), tx.query('select pg_terminate_backend(pg_backend_pid())')];
  await killing;
}

it('give their place in the pool back, however often that happens', async () => {
  for (let killed = 0; killed < 3 * POOL_MAX; killed++) {
    await expect(inTransaction(db, { workspaceId }, kill)).rejects.toThrow(/terminat/i);
  }
  const rows = await inTransaction(db, { workspaceId }, (tx) => tx.query('select 1 as one'));
  expect(rows).toEqual([{ one: 1 }]);
});

it('lose their locks where they say nothing for long, and give their place in the pool back', async () => {
  const [usual] = await inTransaction(db, { workspaceId }, (tx) =>
    tx.query<{ bound: string }>(`select current_setting('idle_in_transaction_session_timeout') as bound`),
  );
  expect(usual).toEqual({ bound: '10min' });
  const forgetful = await connectDb({
    url: databaseUrl,
    poolMax: 1,
    applicationName: 'test',
    log: { warn: () => {} },
    settings: { idle_in_transaction_session_timeout: '1s' },
  });
  const other = new Client({ connectionString: databaseUrl });
  await other.connect();
  try {
    const lock = 'select pg_advisory_xact_lock(7278623, 99)';
    const silent = inTransaction(forgetful, { workspaceId }, async (tx) => {
      await tx.query(lock);
      await other.query(lock);
      await tx.query('select 1');
    });
    expect(isServerAway(await silent.catch((error: unknown) => error))).toBe(true);
    const rows = await inTransaction(forgetful, { workspaceId }, (tx) => tx.query('select 1 as one'));
    expect(rows).toEqual([{ one: 1 }]);
  } finally {
    await other.end();
    await forgetful.close();
  }
});

describe('statements behind which the commit follows at once', () => {
  const insert = (tx: AnyTx, id: string) =>
    tx.query(`insert into workspace (id, slug, name) values ($1, $2, 'W')`, [id, `w-${id}`]);
  const count = (ids: string[]) =>
    inTransaction(db, 'instance', async (tx) => {
      const [row] = await tx.query<{ n: number }>(
        'select count(*)::int as n from workspace where id = any($1::uuid[])',
        [ids],
      );
      return row?.n;
    });

  it('are committed, and what comes later sees their effect', async () => {
    const id = newId();
    const seen = await inTransaction(db, 'instance', async (tx) => {
      tx.withCommit(insert(tx, id));
      return tx.query('select slug from workspace where id = $1', [id]);
    });
    expect(seen).toEqual([{ slug: `w-${id}` }]);
    expect(await count([id])).toBe(1);
  });

  it('take everything with them when they fail, and say why', async () => {
    const [before, twice, after] = [newId(), newId(), newId()];
    const failing = inTransaction(db, 'instance', async (tx) => {
      await insert(tx, before);
      tx.withCommit(insert(tx, twice));
      tx.withCommit(insert(tx, twice));
      tx.withCommit(insert(tx, after));
    });
    await expect(failing).rejects.toMatchObject({ code: '23505', constraint: 'workspace_pkey' });
    expect(await count([before, twice, after])).toBe(0);
  });

  it('say why before a later statement says that the transaction is over', async () => {
    const id = newId();
    const failing = inTransaction(db, 'instance', async (tx) => {
      tx.withCommit(insert(tx, id));
      tx.withCommit(insert(tx, id));
      await tx.query('select 1');
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await count([id])).toBe(0);
  });

  it('are part of what runs again after a serialization failure', async () => {
    const id = newId();
    let attempts = 0;
    await inTransaction(db, 'instance', async (tx) => {
      attempts++;
      tx.withCommit(insert(tx, id));
      if (attempts < 3) tx.withCommit(tx.query('select raise_stock_race()'));
    });
    expect(attempts).toBe(3);
    expect(await count([id])).toBe(1);
  });

  it('take everything with them where a rollback to a savepoint undid their failure', async () => {
    const ids: string[] = [];
    await inTransaction(db, 'instance', async (tx) => {
      const id = newId();
      ids.push(id);
      await insert(tx, id);
      await tx.query('savepoint call');
      const failing = ids.length === 1 ? tx.query('select raise_stock_race()') : tx.query('select 1');
      tx.withCommit(failing);
      await failing.catch(() => {});
      await tx.query('rollback to savepoint call');
    });
    expect(ids).toHaveLength(2);
    expect(await count(ids)).toBe(1);
  });

  it('take everything with them where they cannot be sent', async () => {
    const id = newId();
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const failing = inTransaction(db, 'instance', async (tx) => {
      tx.withCommit(insert(tx, id));
      tx.withCommit(tx.query('select $1::jsonb', [circular]));
    });
    await expect(failing).rejects.toThrow(/circular/);
    expect(await count([id])).toBe(0);
  });

  it('leave nothing of a transaction whose work throws', async () => {
    const id = newId();
    const failing = inTransaction(db, 'instance', async (tx) => {
      tx.withCommit(insert(tx, id));
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await count([id])).toBe(0);
  });

  it('give the connection back, however they end', async () => {
    for (let round = 0; round < 3 * POOL_MAX; round++) {
      const killed = inTransaction(db, 'instance', async (tx) => {
        tx.withCommit(insert(tx, newId()));
        tx.withCommit(kill(tx));
        tx.withCommit(insert(tx, newId()));
      });
      await expect(killed).rejects.toThrow(/terminat/i);
    }
    expect(await count([])).toBe(0);
  });
});

it('a transaction whose work passes over a failure does not pass for committed', async () => {
  const passing = inTransaction(db, 'instance', async (tx) => {
    await tx.query('select 1 / 0').catch(() => {});
  });
  await expect(passing).rejects.toThrow('Nothing was committed');
});

it('a statement that comes after the end of its transaction is not run in that of somebody else', async () => {
  for (const ending of ['commits', 'fails'] as const) {
    let ended: Tx | undefined;
    await inTransaction(db, { workspaceId }, async (tx) => {
      ended = tx;
      if (ending === 'fails') throw new Error('refused');
    }).catch(() => {});
    await inTransaction(db, { workspaceId: otherId }, async (tx) => {
      await tx.query('select 1');
      await expect(ended?.query('select 1')).rejects.toThrow('The transaction is over');
      await expect(ended?.queryPrepared('select 1')).rejects.toThrow('The transaction is over');
    });
  }
});

it('a transaction that cannot begin as it should runs nothing, and says why', async () => {
  const outsider = `outsider_${randomUUID().replaceAll('-', '')}`;
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query(`create role ${outsider} login password 'secret'`);
  const url = Object.assign(new URL(databaseUrl), { username: outsider, password: 'secret' });
  // No member of the role that an instance-wide transaction takes.
  const options = { url: url.href, poolMax: 1, applicationName: 'test', role: null, log: { warn: () => {} } };
  const denied = await connectDb(options);
  try {
    for (let round = 0; round < 3; round++) {
      const failing = inTransaction(denied, 'instance', (tx) => tx.query('select 1'));
      await expect(failing).rejects.toMatchObject({ code: '42501' });
    }
  } finally {
    await denied.close();
    await admin.query(`drop role ${outsider}`);
    await admin.end();
  }
});

describe('a glance', () => {
  const glance = <T>(scopeId: string, work: (tx: Tx) => Promise<T>) =>
    inTransaction(db, { workspaceId: scopeId }, work, { glance: true });
  const scopeOf = (tx: Tx) =>
    tx.query<{ role: string; workspace: string; reads: string }>(
      `select current_user::text as role, current_setting('partbook.workspace_id') as workspace,
              current_setting('transaction_read_only') as reads`,
    );

  it('has its role and its workspace in every burst, leaves neither behind, and changes nothing', async () => {
    const scope = [{ role: 'partbook_app', workspace: workspaceId, reads: 'on' }];
    await glance(workspaceId, async (tx) => {
      expect(await scopeOf(tx)).toEqual(scope);
      expect(await Promise.all([scopeOf(tx), scopeOf(tx)])).toEqual([scope, scope]);
      expect(
        await tx.em.getConnection().execute('select 1 as one', [], 'all', tx.em.getTransactionContext()),
      ).toEqual([{ one: 1 }]);
      expect(await scopeOf(tx)).toEqual(scope);
    });
    const writing = glance(workspaceId, (tx) => tx.query('create temporary table mine (id int)'));
    await expect(writing).rejects.toMatchObject({ code: '25006' });
    expect(await glance(otherId, scopeOf)).toMatchObject([{ workspace: otherId }]);
  });

  it('gives its connection back however it ends, and says why it failed', async () => {
    for (let round = 0; round < 3 * POOL_MAX; round++) {
      const failing = glance(workspaceId, async (tx) => {
        void tx.query('select 1 / 0').catch(() => {});
        return tx.query('select 1');
      });
      await expect(failing).rejects.toThrow(/A statement before it/);
      await expect(glance(workspaceId, () => Promise.reject(new Error('refused')))).rejects.toThrow(
        'refused',
      );
    }
    expect(await glance(workspaceId, (tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }]);
  });

  it('leaves a connection that the server ends to nobody, though its end has not been seen yet', async () => {
    const apart = await connectDb({
      url: databaseUrl,
      poolMax: 1,
      applicationName: 'test',
      log: { warn: () => {} },
    });
    const look = (sql: string) =>
      inTransaction(apart, { workspaceId }, (tx) => tx.query(sql), { glance: true });
    try {
      await look('select 1');
      expect(apart.connections().open).toBe(1);
      for (const code of ['57P01', '57P02', '25P03', '08006']) {
        // As the server says that it ends the connection, which this one outlives.
        const ended = look(`do $$ begin raise exception 'ended' using errcode = '${code}'; end $$`);
        await expect(ended).rejects.toMatchObject({ code });
        expect([code, apart.connections().open]).toEqual([code, 0]);
        expect(await look('select 1 as one')).toEqual([{ one: 1 }]);
      }
      await expect(look('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
      expect(apart.connections().open).toBe(1);
    } finally {
      await apart.close();
    }
  });
});

describe('inside a transaction', () => {
  const inside = (work: (tx: Tx) => Promise<unknown>) => inTransaction(db, { workspaceId }, work);

  it.each([
    ['another transaction', () => inTransaction(db, 'instance', (tx) => tx.query('select 1'))],
    ['a statement on another connection', () => db.query('select 1')],
    ['a job', () => context.queues.announce('sync.advance', { workspaceId: newId(), batchId: newId() })],
    ['a compiler', () => context.scripts.checkSyntax('1')],
    ['a script', () => context.scripts.runScripts({ runs: [], hostCalls: () => async () => null })],
    [
      'a page of results',
      () =>
        context.webPool.merge({
          documents: [],
          after: -1,
          limit: 1,
          bytesMax: 1,
          filter: everyResult,
          format: 'json',
        }),
    ],
    [
      'the network',
      () =>
        postMessage(
          { url: 'http://x.example', headers: {}, body: '' },
          { timeoutMs: 1, allowPrivate: false, resolve: async () => [] },
        ),
    ],
  ])('%s is not waited for', async (_, wait) => {
    await expect(inside(() => wait())).rejects.toThrow(/inside a transaction/);
    // Not even behind something else, and from what was begun there.
    await expect(
      inside(async (tx) => tx.query('select 1').then(async () => void (await wait()))),
    ).rejects.toThrow(/inside a transaction/);
  });

  it('what is begun and goes on after the end is free to wait again', async () => {
    let after: Promise<unknown> = Promise.resolve();
    await inside(async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      after = promise.then(() => db.query('select 1 as one'));
      setImmediate(() => setImmediate(resolve));
      await Promise.resolve();
    });
    expect(await after).toEqual([{ one: 1 }]);
  });
});

it.each([false, true])(
  'nobody writes in a workspace that is not there, plans kept: %s',
  async (keepsPlans) => {
    const work = (tx: Tx) => tx.query('select 1');
    const writing = inTransaction(db, { workspaceId: newId() }, work, { keepsPlans });
    await expect(writing).rejects.toMatchObject({ code: 'PB410' });
  },
);

it('a statement that is given one id is planned once a connection where the transaction keeps plans', async () => {
  const statement = `
    select w.slug from unnest($1::uuid[]) as wanted (id)
    cross join lateral (select slug from workspace where id = wanted.id limit 1) w`;
  const work = async (tx: Tx) => {
    for (let round = 0; round < 20; round++) await tx.queryPrepared(statement, [[workspaceId]]);
    const plans = 'custom_plans::int as anew, generic_plans::int as kept';
    return tx.query(`select ${plans} from pg_prepared_statements where statement = $1`, [statement]);
  };
  const plans = await inTransaction(db, { workspaceId }, work, { keepsPlans: true });
  expect(plans).toEqual([{ anew: 0, kept: 20 }]);
});

it('a lock that somebody else keeps is waited for as long as the transaction says', async () => {
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = (tx: AnyTx) => tx.query('select pg_advisory_xact_lock(7)');
  const holder = inTransaction(db, { workspaceId }, async (tx) => {
    await lock(tx);
    locked.resolve();
    await held.promise;
  });
  // A holder that fails is no reason to wait.
  await Promise.race([locked.promise, holder]);
  const refused = inTransaction(db, 'instance', lock, { lockTimeoutMs: 50 });
  await expect(refused).rejects.toMatchObject({ code: '55P03' });
  const waits = inTransaction(db, 'instance', lock, { lockTimeoutMs: 60_000 });
  held.resolve();
  await Promise.all([holder, waits]);
});

it('take work of workspaces in turn, and those that a lock holds up or that fail keep no other waiting', async () => {
  const left = new Map([
    ['held', 1],
    ['faulty', 1],
    ['sound', 3],
  ]);
  const tried: string[] = [];
  const told: unknown[] = [];
  const note = (_facts: unknown, message?: string) => void told.push(message);
  const done = await workInTurn({
    db,
    log: { warn: note, error: note },
    signal: undefined,
    find: async () => [...left].filter(([, pieces]) => pieces > 0).map(([id]) => ({ workspace_id: id })),
    work: async ({ workspace_id: id }) => {
      tried.push(id);
      if (id === 'faulty') throw new Error('a fault');
      if (id === 'held')
        await inTransaction(db, 'instance', (tx) =>
          tx.query("do $$ begin raise exception 'held' using errcode = '55P03'; end $$"),
        );
      left.set(id, (left.get(id) ?? 0) - 1);
      return 1;
    },
    failure: 'it failed',
  });
  expect(done).toBe(3);
  expect(tried).toEqual(['held', 'faulty', 'sound', 'sound', 'sound']);
  expect(told).toEqual(['it failed', 'it failed']);
});

it('a workspace whose piece failed has its turn again while the work of others does not end', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const tried: string[] = [];
  await workInTurn({
    db,
    log: { warn: () => {}, error: () => {} },
    signal: undefined,
    find: async () => (tried.length < 8 ? [{ workspace_id: 'unlucky' }, { workspace_id: 'busy' }] : []),
    work: async ({ workspace_id: id }) => {
      tried.push(id);
      if (id === 'unlucky' && tried.length === 1) throw new Error('a fault');
      vi.advanceTimersByTime(12_000);
      return 1;
    },
    failure: 'it failed',
  }).finally(vi.useRealTimers);
  expect(tried).toEqual(['unlucky', 'busy', 'busy', 'busy', 'unlucky', 'busy', 'unlucky', 'busy']);
});
