// The Redis of the embedded default, for BullMQ. It holds nothing that PostgreSQL does not know, but keeping
// its data over a restart spares announcing all open work again.

import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readOrCreatePassword } from '../process/private-file.ts';
import { joinOrStart } from './child-server.ts';
import { findRedisBinary, type RedisBinary } from './redis-binary.ts';
import { HOST, type LaunchLog } from './server-process.ts';

const execFileAsync = promisify(execFile);
const PING_TIMEOUT_MS = 2_000;
const PROBE_TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 4096;

export interface EmbeddedRedisOptions {
  dataDir: string;
  /** Folder of an unpacked Redis, shared by all data folders. */
  cacheDir: string;
  log: LaunchLog;
}

export interface EmbeddedRedis {
  url: string;
  /** True when the server ran already; `stop` then leaves it to its owner. */
  reused: boolean;
  stop(): Promise<void>;
}

/**
 * Joins the server that runs on the folder, or starts one. Null when no Redis can be had on this machine;
 * throws when there is one that does not start.
 */
export async function startEmbeddedRedis(options: EmbeddedRedisOptions): Promise<EmbeddedRedis | null> {
  const { log } = options;
  const binary = await findRedisBinary(resolve(options.cacheDir), log);
  if (binary === null) return null;

  const data = resolve(options.dataDir, 'redis');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const folder = realpathSync(data);
  const password = () => readOrCreatePassword(join(folder, 'password'));

  const server = await joinOrStart({
    name: 'redis',
    folder,
    log,
    stopSignals: ['SIGTERM', 'SIGKILL'],
    answers: (port) => answersPing(port, password()),
    prepare: async () => {
      const prefix = await parentDeathPrefix(binary);
      return (port) => ({
        argv: [...prefix, binary.path, '-'],
        env: binary.env,
        // Not as arguments, where every user of the machine could read the password.
        stdin: configuration(folder, port, password()),
        diesWithOwner: prefix.length > 0,
      });
    },
  });
  const url = `redis://default:${encodeURIComponent(password())}@${HOST}:${server.port}`;
  return { url, reused: server.reused, stop: server.stop };
}

function configuration(folder: string, port: number, password: string): string {
  const lines = [
    `port ${port}`,
    `bind ${HOST}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(folder)}`,
    'daemonize no',
    'logfile ""',
    // The append-only file alone: snapshots beside it would write everything twice.
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    // BullMQ's keys must never be evicted.
    'maxmemory-policy noeviction',
  ];
  return `${lines.join('\n')}\n`;
}

/** SIGTERM lets Redis write its file before it ends, when this process is killed. Empty where unsupported. */
async function parentDeathPrefix(binary: RedisBinary): Promise<string[]> {
  const prefix = ['setpriv', '--pdeathsig', 'TERM', '--'];
  try {
    const [file = '', ...args] = [...prefix, binary.path, '--version'];
    await execFileAsync(file, args, { env: binary.env, timeout: PROBE_TIMEOUT_MS });
    return prefix;
  } catch {
    return [];
  }
}

/** False while it loads its data, with another password, and when something else listens there. */
function answersPing(port: number, password: string): Promise<boolean> {
  return new Promise((answer) => {
    let received = '';
    const socket = connect({ host: HOST, port }, () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    const done = (answers: boolean) => {
      socket.destroy();
      answer(answers);
    };
    socket.setTimeout(PING_TIMEOUT_MS, () => done(false));
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
      if (received.includes('+PONG')) done(true);
      else if (received.includes('-') || received.length > ANSWER_BYTES_MAX) done(false);
    });
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
  });
}
