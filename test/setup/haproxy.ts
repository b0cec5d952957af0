/** A HAProxy with one of the configurations of `deploy/haproxy`, whose hosts and places are replaced by those of a test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, pollUntil } from '../../src/embedded/server-process.ts';
import { findDebianProgram } from './debian-program.ts';

const START_MS_MAX = 60_000;
const deployed = fileURLToPath(new URL('../../deploy/haproxy/', import.meta.url));

export interface Haproxy {
  /** Of its one address. */
  url: string;
  /** For `deploy/haproxy/turn-workspace.ts`. */
  environment: { HAPROXY_SOCKET: string; HAPROXY_CELLS: string };
  stop(): Promise<void>;
}

/**
 * `hosts`: the ports on this machine for the names in the configuration; servers of other names are left out. Throws where no
 * HAProxy can be had.
 */
export async function startHaproxy(
  configuration: 'partbook.cfg' | 'cells.cfg',
  hosts: Readonly<Record<string, number>>,
): Promise<Haproxy> {
  const problems: string[] = [];
  const wanted = {
    package: 'haproxy',
    name: 'haproxy',
    versionArgument: '-v',
    versionMin: [2, 4],
  } as const;
  const command = await findDebianProgram(wanted, '.cache', (why) => problems.push(why));
  if (command === null) throw new Error(`There is no HAProxy from 2.4 on: ${problems.join('; ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'partbook-haproxy-'));
  const port = await freePort();
  for (const map of ['cells.map', 'forms.map'])
    await writeFile(join(folder, map), await readFile(join(deployed, map)));
  const text = await readFile(join(deployed, configuration), 'utf8');
  const lines = text
    .replaceAll('/etc/haproxy/', `${folder}/`)
    .replaceAll('/run/haproxy/', `${folder}/`)
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .split('\n')
    .flatMap((line) => withHost(line, hosts));
  await writeFile(join(folder, 'haproxy.cfg'), lines.join('\n'));
  const [program, ...args] = command;
  const child = spawn(program, [...args, '-db', '-f', join(folder, 'haproxy.cfg')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
  });
  let output = '';
  child.stderr.on('data', (piece: Buffer) => {
    output = (output + piece.toString()).slice(-10_000);
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  // What has no web yet is 503: it is ready when all that it knows are.
  const isUp = await pollUntil(
    START_MS_MAX,
    async () => (await fetch(`${url}/health/ready`).catch(() => null))?.status === 200,
    () => child.exitCode !== null,
  );
  if (!isUp) {
    await stop();
    throw new Error(`HAProxy did not start: ${output}`);
  }
  const environment = {
    HAPROXY_SOCKET: join(folder, 'admin.sock'),
    HAPROXY_CELLS: join(folder, 'cells.map'),
  };
  return { url, environment, stop };
}

function withHost(line: string, hosts: Readonly<Record<string, number>>): string[] {
  const [, host = ''] = /^\s+server \S+ ([\w-]+):3000 /.exec(line) ?? [];
  if (host === '') return [line];
  const port = hosts[host];
  return port === undefined ? [] : [line.replace(`${host}:3000`, `127.0.0.1:${port}`)];
}
