// The database's processes that work for a thread stand as far back as the thread, those that answer callers do not.
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { patience } from '../../setup/patience.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { element, syncCalls } from '../../sync/sync-calls.ts';
import { makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';

const NICE = 3;
let server: TestServer;
let admin: Client;

beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    environment: { THREAD_NICE: String(NICE), SYNC_AT_ONCE_ELEMENTS_MAX: '0' },
  });
  admin = new Client({ connectionString: server.ctx.databaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await server.close();
});

/** Behind a pooler nobody knows whose a process is. */
test.skipIf(process.platform !== 'linux' || inject('pooler') !== null)(
  'processes of PostgreSQL that apply a batch stand back, those that answer callers do not',
  async () => {
    const workspace = await makeDefaultWorkspace(server);
    const calls = syncCalls(server, workspace);
    const sent = await calls.send({ entities: Array.from({ length: 50 }, () => element({})) });
    expect(sent.status, sent.text).toBe(200);
    await expect.poll(() => prioritiesOf('partbook sync'), patience).toEqual([getPriority() + NICE]);
    expect(await prioritiesOf('partbook')).toEqual([getPriority()]);
  },
);

/** Each that there is, once; the field of /proc/PID/stat that is called `nice`. */
async function prioritiesOf(application: string): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and application_name = $1',
    [application],
  );
  const niceOf = ({ pid }: { pid: number }) =>
    Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]);
  return [...new Set(rows.map(niceOf))].toSorted();
}
