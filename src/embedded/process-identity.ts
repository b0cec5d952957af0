// Process ids are reused, above all in containers, where a restarted service often gets the id that its
// predecessor had. Everything that the launchers write down about a process is therefore its id together
// with the moment at which it started.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { processExists } from '../process/process-exists.ts';

const hasProcFs = existsSync('/proc/self/stat');
const bootId = hasProcFs ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';

/** `<pid>:<start>:<boot>`, or null when no such process runs. A zombie counts as ended. */
export function identifyProcess(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (hasProcFs) return identifyFromProcFs(pid);
  if (!processExists(pid)) return null;
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [state = '', ...started] = line.split(/\s+/);
    return state.startsWith('Z') ? null : `${pid}:${started.join('-')}:`;
  } catch {
    return `${pid}::`;
  }
}

export function isRunning(identity: string): boolean {
  return identifyProcess(pidOf(identity)) === identity;
}

export function pidOf(identity: string): number {
  return Number.parseInt(identity, 10);
}

export function identifySelf(): string {
  const identity = identifyProcess(process.pid);
  if (identity === null) throw new Error('This process does not find itself in the process table');
  return identity;
}

function identifyFromProcFs(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The command stands in brackets and may contain blanks and brackets itself: count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  const startTicks = fields[19];
  return state === 'Z' || state === 'X' ? null : `${pid}:${startTicks}:${bootId}`;
}
