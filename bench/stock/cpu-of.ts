/** CPU time, which neighbours on the machine disturb less than they do throughput. Linux only; elsewhere it is 0. */
import { readFileSync } from 'node:fs';
import type { Db } from '../../src/db/connect.ts';

const TICK_MS = 10;

export interface CpuUsed {
  /** Milliseconds so far. */
  service: number;
  database: number;
}

/** What the service and the database's connections to it have used so far. */
export async function cpuOf(db: Db, servicePid: number): Promise<CpuUsed> {
  const rows = await db.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'partbook'`,
  );
  const database = rows.reduce((sum, { pid }) => sum + ticksOf(pid), 0);
  return { service: ticksOf(servicePid) * TICK_MS, database: database * TICK_MS };
}

function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}
