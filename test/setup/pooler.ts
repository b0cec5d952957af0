/**
 * A PgBouncer in transaction mode in front of the tests' PostgreSQL (`npm run test:pooler`): every transaction of the
 * service may get another connection. It is configured as docs/scaling.md says, and passes everybody's login on.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { freePort, pollUntil } from '../../src/embedded/server-process.ts';
import { findDebianProgram, type ProgramCommand } from './debian-program.ts';

export interface Pooler {
  host: string;
  port: number;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const NOBODY = 65_534;
const START_MS_MAX = 60_000;

/** `asLogin`: whoever comes is this login to the server. Throws where no PgBouncer can be had. */
export async function startPooler(
  serverUrl: string,
  { asLogin }: { asLogin?: string } = {},
): Promise<Pooler> {
  const problems: string[] = [];
  const wanted = {
    package: 'pgbouncer',
    name: 'pgbouncer',
    versionArgument: '--version',
    versionMin: [1, 21],
  } as const;
  const command = await findDebianProgram(wanted, '.cache', (why) => problems.push(why));
  if (command === null) throw new Error(`There is no PgBouncer from 1.21 on: ${problems.join('; ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'partbook-pooler-'));
  const port = await freePort();
  await writeConfiguration(folder, serverUrl, port, asLogin ?? null);
  const child = await launch(command, folder);
  let output = '';
  child.stderr.on('data', (text: Buffer) => {
    output = (output + text.toString()).slice(-10_000);
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const url = throughPooler(serverUrl, { host: HOST, port });
  const isUp = await pollUntil(
    START_MS_MAX,
    () => answers(url),
    () => child.exitCode !== null,
  );
  if (!isUp) {
    await stop();
    throw new Error(`PgBouncer did not start: ${output}`);
  }
  return { host: HOST, port, stop };
}

/** The same database by way of the pooler. */
export function throughPooler(url: string, { host, port }: Pick<Pooler, 'host' | 'port'>): string {
  return Object.assign(new URL(url), { hostname: host, port: String(port) }).href;
}

async function writeConfiguration(
  folder: string,
  serverUrl: string,
  port: number,
  asLogin: string | null,
): Promise<void> {
  const server = new URL(serverUrl);
  const login = decodeURIComponent(server.username);
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await writeFile(
    join(folder, 'users.txt'),
    `${quoted(login)} ${quoted(decodeURIComponent(server.password))}\n`,
  );
  const all = {
    listen_addr: HOST,
    listen_port: String(port),
    unix_socket_dir: '',
    pool_mode: 'transaction',
    max_prepared_statements: '500',
    max_client_conn: '2000',
    // Fewer than the service's own pools together: transactions do change connections.
    default_pool_size: '12',
    server_idle_timeout: '30',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'users.txt'),
    auth_user: login,
    auth_dbname: 'postgres',
    auth_query: 'select rolname, rolpassword from pg_authid where rolname = $1 and rolcanlogin',
    log_connections: '0',
    log_disconnections: '0',
    log_stats: '0',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n* = host=${server.hostname} port=${server.port}${asLogin === null ? '' : ` user=${asLogin}`}\n` +
      `[pgbouncer]\n${lines.join('\n')}\n`,
  );
}

/** PgBouncer refuses to run as root: as nobody then, from a folder that nobody can enter. */
async function launch([file, ...args]: ProgramCommand, folder: string) {
  const asRoot = process.geteuid?.() === 0;
  let command = [file, ...args];
  if (asRoot) {
    if (args.length > 0) {
      const unpacked = join(folder, 'program');
      const origin = join(file, '..');
      await cp(origin, unpacked, { recursive: true });
      command = command.map((part) =>
        part.startsWith(origin) ? join(unpacked, part.slice(origin.length)) : part,
      );
    }
    for (const path of [folder, join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')])
      await chown(path, NOBODY, NOBODY);
  }
  const [program = '', ...rest] = [...command, join(folder, 'pgbouncer.ini')];
  return spawn(program, rest, {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
    argv0: basename(program),
    ...(asRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
