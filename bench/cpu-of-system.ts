/** Processor time of the parts of a system, which neighbours on the machine disturb less than they do throughput. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import type { System } from './system.ts';

const TICK_SECONDS = 0.01;

/** Seconds. */
export interface CpuSeconds {
  web: number;
  worker: number;
  /** All its processes, also those that have ended. */
  postgres: number;
}

/** What they have used so far. */
export function cpuOfSystem({ web, worker, postmasterPid }: System): CpuSeconds {
  return {
    web: statOf(web.process.pid ?? 0).own * TICK_SECONDS,
    worker: statOf(worker.process.pid ?? 0).own * TICK_SECONDS,
    postgres: secondsBelow(postmasterPid()),
  };
}

/** Of a process and its children, also those that have ended. */
export function secondsBelow(pid: number): number {
  const first = statOf(pid);
  let ticks = first.own + first.ended;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const child = statOf(Number(entry));
    if (child.parent === pid) ticks += child.own;
  }
  return ticks * TICK_SECONDS;
}

export function cpuBetween(before: CpuSeconds, after: CpuSeconds): CpuSeconds {
  return {
    web: after.web - before.web,
    worker: after.worker - before.worker,
    postgres: after.postgres - before.postgres,
  };
}

export const totalCpu = ({ web, worker, postgres }: CpuSeconds): number => web + worker + postgres;

/** Ticks of a process, and of its children that have ended. */
function statOf(pid: number): { parent: number; own: number; ended: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, own = 0, ownSystem = 0, ended = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (field) => fields[field],
    );
    return { parent, own: own + ownSystem, ended: ended + endedSystem };
  } catch {
    return { parent: 0, own: 0, ended: 0 };
  }
}

/** The unit of processor time: `JSON.parse` of the payload, the median of several, in seconds. */
export function parseSeconds(payload: string): number {
  const seconds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    JSON.parse(payload);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  });
  return seconds.toSorted((a, b) => a - b)[2] as number;
}
