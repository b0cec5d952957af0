import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { configurationForWriting } from '../../src/configuration/current/configuration-for-writing.ts';
import { markPropertiesUsed } from '../../src/configuration/current/mark-properties-used.ts';
import { readConfiguration } from '../../src/configuration/current/read-configuration.ts';
import { lockConfiguration, shareConfiguration } from '../../src/configuration/lock-configuration.ts';
import type { Tx } from '../../src/db/transaction.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const renameTo = async (name: string) => {
  const { body } = await workspace.ask('GET', '/categories/part');
  return workspace.ask('PUT', '/categories/part', { ...body, name });
};

test('it is read once in a transaction', async () => {
  await workspace.transact(async (tx) => {
    expect(await configurationForWriting(tx)).toBe(await configurationForWriting(tx));
  });
});

test('a savepoint that is rolled back takes the lock away, and it is read again', async () => {
  await workspace.transact(async (tx) => {
    await tx.query('savepoint before');
    expect((await configurationForWriting(tx)).categories.get('part')?.name).toBe('Part');
    await tx.query('rollback to savepoint before');
    expect((await renameTo('Component')).status).toBe(200);
    expect((await configurationForWriting(tx)).categories.get('part')?.name).toBe('Component');
  });
});

test('a mark of use that is rolled back is not remembered by who comes next', async () => {
  await workspace.ask('POST', '/property-definitions', { key: 'Mass', name: 'Mass', type: 'numeric' });
  const used = async (tx: Tx) => (await readConfiguration(tx)).properties.get('Mass')?.used;
  const undone = workspace.transact(async (tx) => {
    await markPropertiesUsed(tx, await configurationForWriting(tx), ['Mass']);
    expect(await used(tx)).toBe(true);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  const known = await workspace.transact(configurationForWriting);
  expect(known.properties.get('Mass')?.used).toBe(false);
});

test('a change that waits for a long writer lets short ones pass', async () => {
  const held = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const long = workspace.transact(async (tx) => {
    await shareConfiguration(tx);
    held.resolve();
    await ended.promise;
  });
  await held.promise;
  const changing = Promise.withResolvers<void>();
  const change = workspace.transact(async (tx) => {
    changing.resolve();
    await lockConfiguration(tx);
  });
  await changing.promise;
  const waiting = `
    select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
  try {
    await vi.waitUntil(
      () => workspace.transact(async (tx) => (await tx.query(waiting)).length > 0),
      patience,
    );
    // They end although the long one does not.
    for (let call = 0; call < 3; call++) await workspace.transact(shareConfiguration);
  } finally {
    ended.resolve();
  }
  await Promise.all([long, change]);
});
