// Spawning, watching and ending one server process: what the launchers share below their policy.

import { spawn } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, isRunning, pidOf } from './process-identity.ts';

export const HOST = '127.0.0.1';
const POLL_MS = 10;
const OUTPUT_LINES_MAX = 40;
const LINE_CHARS_MAX = 10_000;
const OUTPUT_SETTLE_MS = 500;

export interface LaunchLog {
  info(obj: object, msg: string): void;
  warn(obj: object, msg: string): void;
  error(obj: object, msg: string): void;
  debug(obj: object, msg: string): void;
}

export interface LaunchCommand {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  uid?: number | undefined;
  gid?: number | undefined;
  stdin?: string | undefined;
  /** True when the kernel ends the server with this process (setpriv --pdeathsig). */
  diesWithOwner: boolean;
}

export interface ServerProcess {
  /** Argument of `isRunning`; that of no process if the spawn itself failed. */
  identity: string;
  ended(): boolean;
  /** The last lines that the server printed; call it after `ended` to have them all. */
  output(): Promise<string>;
  /** Logs an end of the process as an error, until `expectEnd`. */
  expectToRun(): void;
  expectEnd(): void;
}

export function spawnServer(name: string, command: LaunchCommand, log: LaunchLog): ServerProcess {
  const [file = '', ...args] = command.argv;
  const child = spawn(file, args, {
    cwd: '/',
    env: command.env,
    ...(command.uid === undefined ? {} : { uid: command.uid }),
    ...(command.gid === undefined ? {} : { gid: command.gid }),
    stdio: [command.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C in a terminal must reach only us, who drain before the server ends.
    detached: true,
  });

  const lines: string[] = [];
  let ended = false;
  let shouldRun = false;
  child.once('error', (error) => {
    ended = true;
    lines.push(error.message);
  });
  child.once('exit', (code, signal) => {
    ended = true;
    if (shouldRun) log.error({ code, signal, lastLines: lines.slice(-5) }, `${name} ended unexpectedly`);
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));

  for (const stream of [child.stdout, child.stderr] as (Socket | null)[]) {
    if (stream === null) continue;
    // To our log at debug level: a log file beside the data would grow without a bound.
    eachLine(stream, (line) => {
      lines.push(line);
      if (lines.length > OUTPUT_LINES_MAX) lines.shift();
      log.debug({ server: name, line }, 'embedded server');
    });
    stream.unref();
  }
  child.stdin?.on('error', () => {});
  child.stdin?.end(command.stdin);
  // A process that has nothing else to do may end; its server ends with it.
  child.unref();

  return {
    identity: identifyProcess(child.pid ?? 0) ?? '0::',
    ended: () => ended,
    output: async () => {
      await Promise.race([closed, delay(OUTPUT_SETTLE_MS)]);
      return lines.join('\n');
    },
    expectToRun: () => {
      shouldRun = true;
    },
    expectEnd: () => {
      shouldRun = false;
    },
  };
}

function eachLine(stream: Socket, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = (parts.pop() ?? '').slice(-LINE_CHARS_MAX);
    for (const line of parts) take(line);
  });
}

/** Sends each signal in turn until the process has ended, waiting `stepMs` after each. */
export async function endProcess(
  identity: string,
  signals: readonly NodeJS.Signals[],
  stepMs: number,
  log: LaunchLog,
): Promise<void> {
  for (const signal of signals) {
    if (!isRunning(identity)) return;
    sendSignal(identity, signal);
    if (await pollUntil(stepMs, () => !isRunning(identity))) return;
    log.warn({ pid: pidOf(identity), signal }, 'embedded server does not end on this signal');
  }
}

export function sendSignal(identity: string, signal: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(pidOf(identity), signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether the condition became true in time; given up early when `hopeless` says so. */
export async function pollUntil(
  withinMs: number,
  condition: () => boolean | Promise<boolean>,
  hopeless: () => boolean = () => false,
): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    if (await condition()) return true;
    if (hopeless() || Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, HOST, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
