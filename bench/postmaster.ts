/**
 * SIGKILL of an embedded PostgreSQL's first process, and the same again in its place: same data, same port.
 * Linux only, as it reads the command from /proc.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { findPostgresBinaries } from '../src/embedded/postgres-binaries.ts';
import { chooseRunAs } from '../src/embedded/postgres-user.ts';
import { endProcess, type LaunchLog, pollUntil, spawnServer } from '../src/embedded/server-process.ts';

const ANSWER_WITHIN_MS = 60_000;
const START_ATTEMPTS_MAX = 100;
const STOP_STEP_MS = 10_000;

export interface Postmaster {
  pid(): number;
  /** SIGKILL; returns when PostgreSQL answers again. */
  restart(): Promise<void>;
  /** Ends the one that `restart` has started; without one, nothing. */
  stop(): Promise<void>;
}

/** Of the PostgreSQL that runs embedded in `dataDir`. */
export function holdPostmaster(dataDir: string, databaseUrl: string, log: LaunchLog): Postmaster {
  const folder = readdirSync(dataDir).find((entry) => /^postgres-\d+$/.test(entry));
  if (folder === undefined) throw new Error('There is no embedded PostgreSQL');
  const cluster = join(dataDir, folder);
  let own: string | null = null;

  const start = async (argv: readonly string[]): Promise<void> => {
    const binaries = findPostgresBinaries(join(dataDir, 'postgres-libraries'));
    const runAs = await chooseRunAs(cluster, binaries.postgres, binaries.env, log);
    // Children of the killed one hold on to the data until they notice: until then it refuses to start.
    for (let attempt = 1; ; attempt++) {
      const child = spawnServer(
        'restarted postgres',
        {
          argv: [...runAs.prefix, ...argv],
          env: binaries.env,
          uid: runAs.uid,
          gid: runAs.gid,
          diesWithOwner: runAs.diesWithOwner,
        },
        log,
      );
      own = child.identity;
      if (await pollUntil(ANSWER_WITHIN_MS, () => answers(databaseUrl), child.ended)) return;
      if (attempt >= START_ATTEMPTS_MAX || !child.ended())
        throw new Error(`PostgreSQL did not start again: ${await child.output()}`);
      await delay(100);
    }
  };

  const pidOf = () => Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);

  return {
    pid: pidOf,
    restart: async () => {
      const pid = pidOf();
      const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
      process.kill(pid, 'SIGKILL');
      await start(argv);
    },
    stop: async () => {
      if (own !== null) await endProcess(own, ['SIGINT', 'SIGQUIT', 'SIGKILL'], STOP_STEP_MS, log);
    },
  };
}

async function answers(databaseUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
