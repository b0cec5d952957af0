/**
 * The service behind a pooler in transaction mode, where every transaction may be on another connection (`npm run
 * test:pooler`, which runs all the other tests through it too).
 */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { checkLogin, checkRoleInForce } from '../../src/db/check-login.ts';
import { connectDb, type Db } from '../../src/db/connect.ts';
import { newId } from '../../src/db/ids.ts';
import { migrate } from '../../src/db/migrate.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { serviceUrl } from '../setup/global.ts';
import { startPooler, throughPooler } from '../setup/pooler.ts';

const isPooled = inject('pooler') !== null;
const log = pino({ level: 'silent' });
let database: TestDatabase;
let db: Db;
let thread: Db;

beforeAll(async () => {
  if (!isPooled) return;
  database = await createTestDatabase();
  const options = { applicationName: 'test', log, url: serviceUrl(database.pooledUrl) };
  db = await connectDb({ ...options, poolMax: 3 });
  thread = await connectDb({ ...options, poolMax: 1, settings: { plan_cache_mode: 'force_custom_plan' } });
});
afterAll(async () => {
  if (!isPooled) return;
  await db.close();
  await thread.close();
  await database.drop();
});

/** A transaction is let into no workspace that is not there. */
const addWorkspaces = (ids: string[]) =>
  inTransaction(db, 'instance', (tx) =>
    tx.query(
      `insert into workspace (id, slug, name) select id, 'w-' || id, 'W' from unnest($1::uuid[]) as id`,
      [ids],
    ),
  );

test.skipIf(!isPooled)(
  'a statement can be prepared after a failure that kept it from being prepared',
  async () => {
    const workspaceId = newId();
    await addWorkspaces([workspaceId]);
    for (let round = 1; round <= 4; round++) {
      const sql = `select ${round % 2}::int as n, $1::int as given`;
      const failing = inTransaction(db, { workspaceId }, async (tx) => {
        tx.withCommit(tx.query('select 1 / 0'));
        tx.withCommit(tx.queryPrepared(sql, [round]));
      });
      await expect(failing).rejects.toMatchObject({ code: '22012' });
      for (let again = 0; again < 3; again++) {
        const rows = await inTransaction(db, { workspaceId }, (tx) => tx.queryPrepared(sql, [round]));
        expect(rows).toEqual([{ n: round % 2, given: round }]);
      }
    }
    // One that cannot be prepared at all is refused each time, and takes nothing with it.
    for (let round = 0; round < 3; round++) {
      await expect(db.query('select * from no_such_table')).rejects.toMatchObject({ code: '42P01' });
      expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    }
  },
);

test.skipIf(!isPooled)(
  'role, workspace and settings are those of the transaction, and nothing of them is left',
  async () => {
    const inForce = `select current_user::text as role, current_setting('partbook.workspace_id', true) as workspace,
                          current_setting('plan_cache_mode') as plans, current_setting('timezone') as timezone`;
    const workspaces = Array.from({ length: 40 }, () => newId());
    await addWorkspaces(workspaces);
    const seen = await Promise.all(
      workspaces.map((workspaceId, at) =>
        inTransaction(at % 4 === 0 ? thread : db, { workspaceId }, (tx) => tx.query(inForce)),
      ),
    );
    expect(seen.flat()).toEqual(
      workspaces.map((workspace, at) => ({
        role: 'partbook_app',
        workspace,
        plans: at % 4 === 0 ? 'force_custom_plan' : 'auto',
        timezone: 'UTC',
      })),
    );
    const bare = new Client({ connectionString: serviceUrl(database.pooledUrl) });
    await bare.connect();
    try {
      for (let time = 0; time < 8; time++) {
        const [left] = (await bare.query(inForce)).rows;
        expect(left).toMatchObject({ role: 'partbook_tests', plans: 'auto' });
        // Unset on a connection that has seen no transaction yet.
        expect(left?.workspace ?? '').toBe('');
      }
    } finally {
      await bare.end();
    }
  },
);

test.skipIf(!isPooled)(
  'a pooler that makes somebody mightier of the login keeps the service from starting',
  async () => {
    await expect(checkLogin(serviceUrl(database.pooledUrl))).resolves.toBeUndefined();
    await expect(checkRoleInForce(db)).resolves.toBeUndefined();
    const mighty = await startPooler(inject('postgresUrl'), { asLogin: 'postgres' });
    try {
      const url = throughPooler(serviceUrl(database.url), mighty);
      await expect(checkLogin(url)).rejects.toThrow(/"postgres" of DATABASE_URL is a superuser/);
    } finally {
      await mighty.stop();
    }
  },
);

test.skipIf(!isPooled)(
  'migrations of several processes wait for each other, and leave no lock with the pooler',
  async () => {
    const owner = new Client({ connectionString: database.url });
    await owner.connect();
    const name = `${database.name}_${randomBytes(4).toString('hex')}`;
    await owner.query(`create database ${name}`);
    const url = Object.assign(new URL(database.pooledUrl), { pathname: `/${name}` }).href;
    try {
      const ran = await Promise.all([1, 2, 3].map(() => migrate(url, log)));
      expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
      const locks = await owner.query(
        `select from pg_locks l join pg_database d on d.oid = l.database
                                     where l.locktype = 'advisory' and d.datname = $1`,
        [name],
      );
      expect(locks.rows).toHaveLength(0);
    } finally {
      await owner.query(`drop database ${name} with (force)`);
      await owner.end();
    }
  },
);
