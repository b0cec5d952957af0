/**
 * A restored back-up is brought forward to a point in time: PostgreSQL reads what came after it from the archive of its log, as
 * far as to the last transaction that was committed by then, and goes on from there on a line of its own.
 */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { chown, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './postgres.ts';
import type { LaunchLog } from './server-process.ts';

const LOOK_MS = 100;

export interface Recovery {
  dataDir: string;
  archiveDir: string;
  until: Date;
  log: LaunchLog;
}

/** Throws where the archive does not lead to that time, and takes the restored data away: half a way is nowhere. */
export async function recoverUntil(recovery: Recovery): Promise<void> {
  const { dataDir } = recovery;
  const name = readdirSync(dataDir).find((entry) => /^postgres-\d+$/.test(entry));
  if (name === undefined) throw new Error(`${dataDir} holds no embedded database`);
  const cluster = join(dataDir, name);
  try {
    await recover(cluster, recovery);
  } catch (error) {
    await rm(cluster, { recursive: true, force: true });
    throw error;
  }
}

async function recover(cluster: string, { dataDir, archiveDir, until, log }: Recovery): Promise<void> {
  const signal = join(cluster, 'recovery.signal');
  await writeFile(signal, '');
  const { uid, gid } = await stat(cluster);
  await chown(signal, uid, gid);
  // Nothing is archived meanwhile: a restore that is only tried must leave no line in the archive that a later one would follow.
  const server = await startEmbeddedPostgres({
    dataDir,
    log,
    settings: {
      restore_command: `cp "${realpathSync(archiveDir)}/%f" "%p"`,
      recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00'),
      recovery_target_action: 'promote',
      recovery_target_timeline: 'current',
    },
  }).catch((error: Error) => {
    throw astray(until, error);
  });
  try {
    await untilThere(server, signal, until);
  } finally {
    await server.stop();
  }
}

/** In PostgreSQL's words, where it says why. */
function astray(until: Date, cause: Error): Error {
  const [, why] = /FATAL: +((?:recovery|requested) .*)/.exec(cause.message) ?? [];
  const said = why === undefined ? '' : `: ${why}`;
  return new Error(`The log in the archive does not lead to ${until.toISOString()}${said}`, { cause });
}

/** The server takes the file away when it has arrived. */
async function untilThere(server: EmbeddedPostgres, signal: string, until: Date): Promise<void> {
  const client = new Client({ connectionString: server.adminUrl });
  // A server that ends fails the query that is under way, too.
  client.on('error', () => {});
  try {
    await client.connect();
    for (;;) {
      const { rows } = await client.query<{ recovering: boolean }>(
        'select pg_is_in_recovery() as recovering',
      );
      if (rows[0]?.recovering === false && !existsSync(signal)) return;
      await delay(LOOK_MS);
    }
  } catch (error) {
    throw astray(until, error as Error);
  } finally {
    await client.end().catch(() => {});
  }
}
