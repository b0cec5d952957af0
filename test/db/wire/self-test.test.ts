/** The self-test of the pipelined wire: a `pg` that lacks a part, or answers otherwise, stops the start and says how to go on. */
import { Client, type PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { PipelinedWire } from '../../../src/db/wire/pipelined-wire.ts';
import { requireKnownPg } from '../../../src/db/wire/self-test.ts';
import { StartError } from '../../../src/process/start-error.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  client = new Client({ connectionString: server.ctx.databaseUrl });
  await client.connect();
  return () => client.end();
});
afterAll(() => server.close());

const copy = async () => Buffer.alloc(0);
const partsOf = (of: Client) => (of as unknown as { connection: Record<string, unknown> }).connection;

/** What the start says of the client. */
async function failureOf(one: Client): Promise<string> {
  const wire = new PipelinedWire(10_000);
  const pooled = one as unknown as PoolClient;
  wire.admit(pooled, () => {});
  try {
    await wire.check(pooled);
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    return (error as Error).message;
  } finally {
    wire.close();
  }
}

it('passes the pg that is installed', async () => {
  expect(await failureOf(client)).toBe('none');
});

it('names what is missing or of another kind, and the setting that does without it', async () => {
  const connection = partsOf(client);
  connection.describe = undefined;
  connection.submittedNamedStatements = () => ({});
  const failure = await failureOf(client);
  expect(failure).toContain('connection.describe, connection.submittedNamedStatements changed or missing');
  expect(failure).toMatch(/^pg \d.*Install pg \d.*, or set DATABASE_WIRE=plain\.$/);
});

it('names the connection if pg has moved it', async () => {
  const moved = { query: () => {} } as unknown as PoolClient;
  await expect(requireKnownPg(moved, { run: async () => [], copy })).rejects.toThrow(
    'client.connection changed or missing',
  );
});

it('shows the answers if they are not those of the statements', async () => {
  const other = async () => [{ one: '1' }];
  const check = requireKnownPg(client as unknown as PoolClient, { run: other, copy });
  await expect(check).rejects.toThrow(/answered with \[\[\{"one":"1"\}\].*DATABASE_WIRE=plain/);
});

it('shows the bytes if a COPY is answered otherwise', async () => {
  const wire = new PipelinedWire(10_000);
  const pooled = client as unknown as PoolClient;
  wire.admit(pooled, () => {});
  const [head, end] = [Buffer.alloc(19), Buffer.from('ffff', 'hex')];
  const run = wire.run.bind(wire, pooled);
  const check = requireKnownPg(pooled, { run, copy: async () => Buffer.concat([head, end]) });
  await expect(check).rejects.toThrow(/a COPY was answered with 0+ffff.*DATABASE_WIRE=plain/);
  wire.close();
});
