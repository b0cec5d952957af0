/** Who waits for the disk: what is written of entities, and the end of a batch; not what only compares them. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';
import { element, syncCalls } from '../sync-calls.ts';
import { openSyncSteps, refIn, type SyncSteps } from '../sync-steps.ts';

let server: TestServer;
let steps: SyncSteps;
let admin: Client;

beforeAll(async () => {
  // The database of the tests waits for no disk at all.
  vi.stubEnv('PGOPTIONS', '-c synchronous_commit=on');
  server = await startTestServer({ environment: { SYNC_CHUNK_ELEMENTS: '2' } });
  steps = await openSyncSteps(server);
  admin = new Client({ connectionString: server.ctx.databaseUrl });
  await admin.connect();
  await admin.query(`
    create table commits (workspace_id uuid, what text, waits text);
    grant insert on commits to public;
    create function note_commit() returns trigger language plpgsql as $$ begin
      insert into commits values (new.workspace_id, tg_argv[0], current_setting('synchronous_commit'));
      return new;
    end $$;
    create trigger note_chunk before update on sync_chunk for each row
      when (new.phase <> old.phase) execute function note_commit('chunk');
    create trigger note_end before update on sync_batch for each row
      when (new.status = 'completed') execute function note_commit('end')`);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await admin.end();
  await steps.close();
  await server.close();
});

it.each([
  ['compares entities alone', false, 'off'],
  ['writes some', true, 'on'],
])('a chunk that %s', async (_, changes, chunks) => {
  const workspace = await makeDefaultWorkspace(server);
  const calls = syncCalls(server, workspace);
  const entities = Array.from({ length: 4 }, () => element());
  const first = await calls.send({ entities }, { headers: { Prefer: 'respond-async' } });
  await steps.toPhase(refIn(workspace, first.body.batchId), 'done');
  await admin.query('delete from commits');

  const again = entities.map((entity) => ({ ...entity, name: changes ? 'Another' : entity.name }));
  const sent = await calls.send({ entities: again }, { headers: { Prefer: 'respond-async' } });
  await steps.toPhase(refIn(workspace, sent.body.batchId), 'done');
  const { rows } = await admin.query(
    'select distinct what, waits from commits where workspace_id = $1 order by what',
    [workspace.id],
  );
  expect(rows).toEqual([
    { what: 'chunk', waits: chunks },
    { what: 'end', waits: 'on' },
  ]);
});
