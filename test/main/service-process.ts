/** The service in a process of its own, started as a person or an orchestrator starts it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';
import { patience } from '../setup/patience.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const cacheDir = fileURLToPath(new URL('../../.cache', import.meta.url));

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Lines of the log on standard output. */
  log(): { msg: string; level: number; port?: number }[];
  /** All of standard output. */
  written(): string;
  /** What is on standard error. */
  printed(): string;
  /** Resolves once the log has such a line; rejects when the process ends before. */
  logged(message: string): Promise<{ port?: number }>;
  /** The exit code, or the signal that ended it. */
  ended(): Promise<number | NodeJS.Signals>;
  signal(signal: NodeJS.Signals): void;
}

/** `environment` is all that it gets, besides the way to programs and to the unpacked Redis; `flags` are for Node. */
export function startService(
  role: string | null,
  environment: Record<string, string>,
  flags: readonly string[] = [],
): ServiceProcess {
  const child = spawn(process.execPath, [...flags, ...(role === null ? [main] : [main, role])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: process.env.TMPDIR,
      CACHE_DIR: cacheDir,
      PORT: '0',
      SHUTDOWN_SECONDS: '10',
      DRAIN_SECONDS: '0',
      WEB_BUILD: 'false',
      ...environment,
    },
  });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const end = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const log = () =>
    out
      .slice(0, out.lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { msg: string; level: number; port?: number });
  return {
    child,
    log,
    written: () => out,
    printed: () => errors,
    logged: (message) =>
      vi.waitUntil(() => {
        if (child.exitCode !== null) throw new Error(`It has ended: ${out}${errors}`);
        return log().find((line) => line.msg === message);
      }, patience),
    ended: async () => {
      const [code, signal] = await end;
      return code ?? (signal as NodeJS.Signals);
    },
    signal: (signal) => child.kill(signal),
  };
}

export interface Greeting {
  address: string;
  key: string;
  operatorToken: string;
  /** Signs a browser on this machine into the demo, once. */
  demo: string;
}

/** What the embedded default prints for the person at the terminal, once it is there. */
export async function greetingOf(service: ServiceProcess): Promise<Greeting> {
  await service.logged('web ready');
  await vi.waitFor(() => expect(service.printed()).toMatch(/Reference/), patience);
  const line = (name: string) => new RegExp(`^ *${name} +(\\S+)$`, 'm').exec(service.printed())?.[1] ?? '';
  return {
    address: line('Partbook'),
    key: line('API key'),
    operatorToken: line('Operator'),
    demo: line('Demo'),
  };
}

export interface ChildServer {
  /** What `isRunning` of src/embedded/process-identity.ts takes. */
  server: string;
  port: number;
}

/** The embedded servers of a data folder, by their records there. */
export function childServers(dataDir: string): ChildServer[] {
  return ['postgres.server.json', 'redis/redis.server.json']
    .map((file) => join(dataDir, file))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as ChildServer);
}
