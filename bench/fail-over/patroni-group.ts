/**
 * Members of Patroni on this machine, each with a PostgreSQL, as deploy/patroni/patroni.yml says, with one etcd. What a member is
 * killed with is all of it at once: Patroni and every process of its PostgreSQL.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { chooseRunAs, spawnIdentity } from '../../src/embedded/postgres-user.ts';
import { freePort, pollUntil } from '../../src/embedded/server-process.ts';
import { findPatroniPrograms } from './patroni-programs.ts';

const HOST = '127.0.0.1';
const START_MS_MAX = 120_000;
const STOP_MS_MAX = 20_000;
const deployed = fileURLToPath(new URL('../../deploy/patroni/patroni.yml', import.meta.url));
const log = pino({ level: 'silent' });

export interface PatroniGroup {
  /** A superuser's URL of the database `postgres` with all hosts. */
  superuserUrl: string;
  /** Seconds, of the configuration. */
  ttl: number;
  /** The one that Patroni says is the primary; null while there is none. */
  primary(): Promise<PatroniMember | null>;
  /** Resolves when the primary has a synchronous standby. */
  untilSynchronous(): Promise<void>;
  stop(): Promise<void>;
}

export interface PatroniMember {
  name: string;
  /** SIGKILL of Patroni and of every process of its PostgreSQL. */
  kill(): Promise<void>;
  start(): void;
}

interface Ports {
  etcd: number;
  rest: number;
  postgres: number;
}

export async function startPatroniGroup(count: number): Promise<PatroniGroup> {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-patroni-'));
  const closes: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const close of closes.toReversed()) await close();
  };
  try {
    const programs = await findPatroniPrograms(folder);
    const text = await readFile(deployed, 'utf8');
    closes.push(guard(folder));
    const etcd = await startEtcd(programs.etcd, folder);
    closes.push(etcd.stop);
    const members: (PatroniMember & { ports: Ports; stop(): Promise<void>; ended(): boolean })[] = [];
    for (let at = 1; at <= count; at++) {
      const name = `db${at}`;
      const ports = { etcd: etcd.port, rest: await freePort(), postgres: await freePort() };
      const home = join(folder, name);
      await mkdir(home, { mode: 0o700 });
      const configuration = join(home, 'patroni.yml');
      await writeFile(configuration, configurationOf(text, name, ports, home, programs.binDir));
      const runAs = await chooseRunAs(home, programs.postgres.path, programs.postgres.env, log);
      const output = openSync(join(folder, `${name}.log`), 'a');
      const launch = () => {
        const [file = '', ...args] = [...runAs.prefix, ...programs.patroni.argv, configuration];
        const launched = spawn(file, args, {
          cwd: home,
          env: programs.patroni.env,
          ...spawnIdentity(runAs),
          stdio: ['ignore', output, output],
        });
        writeFileSync(join(home, 'patroni.pid'), `${launched.pid}\n`);
        return launched;
      };
      let child = launch();
      const isGone = () => child.exitCode !== null || child.signalCode !== null;
      const member = {
        name,
        ports,
        ended: isGone,
        start: () => {
          child = launch();
        },
        kill: () => killAll([child.pid ?? 0, postmasterPid(home)], child),
        stop: async () => {
          if (isGone()) return;
          const ended = once(child, 'exit');
          child.kill('SIGTERM');
          const timer = setTimeout(() => killAll([child.pid ?? 0, postmasterPid(home)], child), STOP_MS_MAX);
          await ended;
          clearTimeout(timer);
        },
      };
      closes.push(member.stop);
      members.push(member);
      // The first makes the cluster; the others copy it.
      if (at === 1)
        await until('a primary', () => says(member.ports, '/primary'), member.ended, folder, name);
    }
    const hosts = members.map(({ ports }) => `${HOST}:${ports.postgres}`).join(',');
    const password = /superuser:\s+username: postgres\s+password: (\S+)/.exec(text)?.[1] ?? '';
    const primary = async () => {
      for (const member of members)
        if (!member.ended() && (await says(member.ports, '/primary'))) return member;
      return null;
    };
    const untilSynchronous = () =>
      until(
        'a synchronous standby',
        async () => {
          for (const { ports } of members) if (await says(ports, '/synchronous')) return true;
          return false;
        },
        () => false,
        folder,
        'db1',
      );
    await untilSynchronous();
    return {
      superuserUrl: `postgres://postgres:${password}@${hosts}/postgres`,
      ttl: Number(/^\s+ttl: (\d+)$/m.exec(text)?.[1]),
      primary,
      untilSynchronous,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * However this process ends, the others do too: Patroni goes on without etcd and its PostgreSQL without Patroni, and none of them asks
 * who started it. A shell that sees the end of its input ends them.
 */
function guard(folder: string): () => Promise<void> {
  // A number in a file may be somebody else's by now.
  const script = `cat
    for file in "$0"/*/patroni.pid "$0"/*/data/postmaster.pid; do
      pid=$(head -n 1 "$file") && grep -q "$0" "/proc/$pid/cmdline" && kill -KILL "$pid"
    done
    rm -rf "$0"`;
  const child = spawn('sh', ['-c', script, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const ended = once(child, 'exit');
  return async () => {
    child.stdin.end();
    await ended;
  };
}

/** The deployed file with the places of this machine. */
function configurationOf(text: string, name: string, ports: Ports, home: string, binDir: string): string {
  return text
    .replace('name: db1', `name: ${name}`)
    .replaceAll('db1:8008', `${HOST}:${ports.rest}`)
    .replaceAll('db1:5432', `${HOST}:${ports.postgres}`)
    .replace('etcd1:2379', `${HOST}:${ports.etcd}`)
    .replace('/var/lib/postgresql/18/partbook', join(home, 'data'))
    .replace('/usr/lib/postgresql/18/bin', binDir)
    .replace('/run/postgresql', home);
}

async function startEtcd(program: string, folder: string) {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://${HOST}:${port}`, `http://${HOST}:${peerPort}`];
  const output = openSync(join(folder, 'etcd.log'), 'a');
  const options = {
    name: 'etcd1',
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd1=${peer}`,
  };
  const words = Object.entries(options).map(([key, value]) => `--${key}=${value}`);
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', program, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', output, output],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const isUp = await pollUntil(
    START_MS_MAX,
    async () => (await fetch(`${client}/health`).catch(() => null))?.status === 200,
    () => child.exitCode !== null,
  );
  if (isUp) return { port, stop };
  await stop();
  throw new Error(`etcd did not start: ${await lastLines(folder, 'etcd')}`);
}

/** What Patroni's interface answers with 200: `/primary`, `/synchronous`, `/replica`. */
async function says({ rest }: Ports, path: string): Promise<boolean> {
  const answer = await fetch(`http://${HOST}:${rest}${path}`, { signal: AbortSignal.timeout(2000) }).catch(
    () => null,
  );
  await answer?.arrayBuffer();
  return answer?.status === 200;
}

async function until(
  what: string,
  isSo: () => Promise<boolean>,
  isLost: () => boolean,
  folder: string,
  name: string,
): Promise<void> {
  if (await pollUntil(START_MS_MAX, isSo, isLost)) return;
  throw new Error(`There is not ${what}: ${await lastLines(folder, name)}`);
}

async function lastLines(folder: string, name: string): Promise<string> {
  return (await readFile(join(folder, `${name}.log`), 'utf8')).slice(-4000);
}

function postmasterPid(home: string): number {
  const file = join(home, 'data', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
}

async function killAll(roots: readonly number[], child: ChildProcess): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
  for (const pid of new Set(roots.filter((root) => root > 0).flatMap(withDescendants))) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone with its parent.
    }
  }
  await ended;
}

function withDescendants(pid: number): number[] {
  let children: string;
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  } catch {
    return [];
  }
  return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(withDescendants)];
}
