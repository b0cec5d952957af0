// The embedded PostgreSQL against real processes: what an operator does to them, and what crashes do.

import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { patience } from '../setup/patience.ts';
import {
  installLaunchers,
  type OtherOptions,
  type OtherProcess,
  portIsClosed,
  serverHasEnded,
  spawnOther,
  startInOtherProcess,
} from './other-process.ts';
import { recordedLog } from './recorded-log.ts';

const onLinux = process.platform === 'linux';
const asRoot = onLinux && process.geteuid?.() === 0;

// Cold starts under the load of other test files take longer than they do alone.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let dataDir: string;
let log: ReturnType<typeof recordedLog>;
const started: EmbeddedPostgres[] = [];
const others: OtherProcess[] = [];

beforeEach(() => {
  dataDir = newFolder();
  log = recordedLog();
});

afterEach(async () => {
  await endServers();
  removeFolder(dataDir);
});

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'partbook-postgres-'));
}

function removeFolder(folder: string): void {
  // A killed initdb may make a file while its folder is removed.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

async function endServers(): Promise<void> {
  await Promise.all(started.splice(0).map((server) => server.stop()));
  await Promise.all(others.splice(0).map((other) => other.kill()));
  await serverHasEnded(join(dataDir, 'postgres.server.json'));
}

async function start(settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log, settings });
  started.push(server);
  return server;
}

async function startElsewhere(options: OtherOptions = {}): Promise<OtherProcess> {
  const other = await startInOtherProcess('postgres', dataDir, options);
  others.push(other);
  return other;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function serverPid(): number {
  return Number(readFileSync(join(dataDir, 'postgres-18', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

describe('embedded PostgreSQL, first start', () => {
  it('starts from an empty folder, durable, private and sorted by code point', async () => {
    const server = await start();
    const [row] = await query(
      server.adminUrl,
      `SELECT current_setting('fsync') AS fsync, current_setting('listen_addresses') AS listens,
              current_setting('unix_socket_directories') AS sockets, current_setting('max_connections') AS connections,
              current_setting('server_encoding') AS encoding, datlocprovider AS provider, datlocale AS locale
         FROM pg_database WHERE datname = 'postgres'`,
    );
    expect(row).toEqual({
      fsync: 'on',
      listens: '127.0.0.1',
      sockets: '',
      connections: '200',
      encoding: 'UTF8',
      provider: 'b',
      locale: 'C.UTF-8',
    });
    expect(server).toMatchObject({ host: '127.0.0.1', reused: false });
    expect(statSync(join(dataDir, 'postgres-18.password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'postgres-18')).mode & 0o077).toBe(0);
  });

  it('is one server after concurrent first starts', async () => {
    const all = await Promise.all([startElsewhere(), startElsewhere(), startElsewhere()]);
    expect(new Set(all.map((other) => other.url)).size).toBe(1);
    expect(all.filter((other) => !other.reused)).toHaveLength(1);
    expect(await query(all[0].url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts although the process that made its first start was killed in the middle of it', async () => {
    const child = spawnOther('postgres', dataDir);
    const initdbIsAtWork = () =>
      expect(readdirSync(dataDir, { recursive: true })).toContainEqual(
        expect.stringMatching(/data\/base\/1$/),
      );
    await vi.waitFor(initdbIsAtWork, patience);
    child.kill('SIGKILL');
    const server = await start();
    expect(await query(server.adminUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('does not start empty beside the data of another version', async () => {
    mkdirSync(join(dataDir, 'postgres-17'));
    await expect(start()).rejects.toThrow(/another PostgreSQL version/);
  });
});

describe('embedded PostgreSQL where not everything can be had', () => {
  let installation: string;
  let programs: string;

  beforeAll(() => {
    installation = newFolder();
    installLaunchers(installation);
  });

  beforeEach(() => {
    programs = newFolder();
    chmodSync(installation, 0o700);
  });

  afterEach(() => removeFolder(programs));

  afterAll(() => removeFolder(installation));

  describe.runIf(asRoot)('for root, without user namespaces', () => {
    const ways = [
      ['setpriv', () => linkPrograms(programs, ['setpriv', 'sh'])],
      ['a setpriv that knows no signal for the death of a parent', () => makeOldSetpriv(programs)],
    ] as const;

    it.each(ways)(
      'runs below a folder that only root can enter, programs and data, by %s',
      async (_, make) => {
        make();
        const elsewhere = { env: { PATH: programs }, installation };
        const parent = dataDir;
        try {
          dataDir = join(parent, 'data');
          const first = await start();
          await query(first.adminUrl, 'DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT 42 AS answer');
          await first.stop();

          const other = await startElsewhere(elsewhere);
          expect(await query(other.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
          expect(statSync(join(dataDir, 'postgres-18')).uid).toBe(65_534);
          await other.end();

          const back = await start();
          expect(await query(back.adminUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
          await back.stop();

          dataDir = join(parent, 'fresh');
          const fresh = await startElsewhere(elsewhere);
          expect(await query(fresh.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
          await fresh.end();
        } finally {
          dataDir = parent;
        }
      },
    );

    it('leaves no orphan when its owner is killed', async () => {
      linkPrograms(programs, ['setpriv', 'sh']);
      const killed = await startElsewhere({ env: { PATH: programs }, installation });
      await killed.kill();
      await portIsClosed(killed.url);
    });

    it('says what to do where nobody else can reach the programs', async () => {
      linkPrograms(programs, ['sh']);
      await expect(startElsewhere({ env: { PATH: programs }, installation })).rejects.toThrow(
        new RegExp(`cannot be run from ${installation}.*where every user can enter`),
      );
    });
  });

  it.runIf(onLinux)('is taken over when its owner was killed where the kernel could not end it', async () => {
    linkPrograms(programs, ['sh']);
    for (const folder of [programs, dataDir, installation]) chmodSync(folder, 0o711);
    const killed = await startElsewhere({ env: { PATH: programs }, installation });
    await killed.kill();
    const next = await start();
    expect(next).toMatchObject({ adminUrl: killed.url, reused: true });
    await next.stop();
    await portIsClosed(next.adminUrl);
  });
});

describe('embedded PostgreSQL with data', () => {
  let existing: string;

  beforeAll(async () => {
    existing = newFolder();
    const server = await startEmbeddedPostgres({ dataDir: existing, log: recordedLog() });
    await server.stop();
  });

  beforeEach(() => {
    removeFolder(dataDir);
    dataDir = existing;
  });

  afterEach(async () => {
    await endServers();
    dataDir = newFolder();
  });

  afterAll(() => removeFolder(existing));

  it('finds letters of every script in trigrams', async () => {
    const { adminUrl } = await start({ fsync: 'off' });
    await query(adminUrl, 'CREATE EXTENSION pg_trgm');
    const [row] = await query(adminUrl, `SELECT show_trgm('äöü') <> '{}' AS letters, upper('ä') AS upper`);
    expect(row).toEqual({ letters: true, upper: 'Ä' });
  });

  it('takes settings over its defaults, but stays on the loopback address', async () => {
    const { adminUrl } = await start({ fsync: 'off', listen_addresses: '*' });
    expect(await query(adminUrl, 'SHOW fsync')).toEqual([{ fsync: 'off' }]);
    expect(await query(adminUrl, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  });

  it('refuses a wrong password', async () => {
    const url = new URL((await start()).adminUrl);
    url.password = 'wrong';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  });

  it('keeps data over a restart', async () => {
    const first = await start();
    await query(first.adminUrl, 'DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    await portIsClosed(first.adminUrl);
    const second = await start();
    expect(second.reused).toBe(false);
    expect(await query(second.adminUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('is joined while it runs, and only its owner stops it', async () => {
    const owner = await start();
    const joined = await startElsewhere();
    expect(joined).toMatchObject({ url: owner.adminUrl, reused: true });
    await joined.end();
    const again = await start();
    expect(again.reused).toBe(true);
    await again.stop();
    expect(await query(owner.adminUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await owner.stop();
    await portIsClosed(owner.adminUrl);
  });

  it.runIf(onLinux)('leaves no orphan when its owner is killed, and starts again at once', async () => {
    const killed = await startElsewhere();
    await query(killed.url, 'DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT 42 AS answer');
    await killed.kill();
    const next = await start();
    expect(next.reused).toBe(false);
    await portIsClosed(killed.url);
    expect(await query(next.adminUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it.runIf(onLinux)('shuts down cleanly by itself when its owner is killed', async () => {
    const killed = await startElsewhere();
    await killed.kill();
    await serverHasEnded(join(dataDir, 'postgres.server.json'));
    await portIsClosed(killed.url);
    // Removed by a clean shutdown only.
    expect(() => serverPid()).toThrow(/ENOENT/);
  });

  it('recovers what was committed before the server itself was killed, and says that it ended', async () => {
    const first = await start();
    await query(first.adminUrl, 'DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(serverPid(), 'SIGKILL');
    await vi.waitFor(
      () => expect(log.entries).toContainEqual(expect.objectContaining({ level: 'error' })),
      patience,
    );
    const second = await start();
    expect(second.reused).toBe(false);
    expect(await query(second.adminUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('starts although another process has got the number that a crashed server left behind', async () => {
    await (await start()).stop();
    const bystander = spawn('sleep', ['60'], { stdio: 'ignore' });
    try {
      const cluster = join(dataDir, 'postgres-18');
      const left = [
        bystander.pid,
        cluster,
        1_700_000_000,
        5432,
        '',
        '127.0.0.1',
        '  5432001  12345',
        'ready ',
      ];
      writeFileSync(join(cluster, 'postmaster.pid'), `${left.join('\n')}\n`, { mode: 0o600 });
      expect((await start()).reused).toBe(false);
    } finally {
      bystander.kill('SIGKILL');
    }
  });

  it('says why it does not start, and leaves nothing running', async () => {
    await expect(start({ shared_buffers: 'plenty' })).rejects.toThrow(/invalid value for parameter/);
    expect(() => serverPid()).toThrow(/ENOENT/);
    expect((await start()).reused).toBe(false);
  });
});

function linkPrograms(folder: string, names: string[]): void {
  for (const name of names) symlinkSync(whereIs(name), join(folder, name));
}

/** As it was before util-linux 2.33. */
function makeOldSetpriv(folder: string): void {
  linkPrograms(folder, ['sh']);
  const script = `case "$*" in *--pdeathsig*) exit 1 ;; esac\nexec ${whereIs('setpriv')} "$@"\n`;
  writeFileSync(join(folder, 'setpriv'), `#!/bin/sh\n${script}`, { mode: 0o755 });
}

function whereIs(program: string): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = folders
    .map((folder) => join(folder, program))
    .find((path) => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined) throw new Error(`${program} is not installed`);
  return found;
}
