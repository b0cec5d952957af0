/** The most memory that a process has held so far, as the kernel counts it. Linux only; elsewhere it is 0. */
import { readFileSync } from 'node:fs';

/** MiB resident at the highest point (`VmHWM`); 0 where the process is gone. */
export function peakMib(pid: number): number {
  return statusMib(pid, 'VmHWM');
}

function statusMib(pid: number, field: string): number {
  try {
    const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    );
    return Number(found?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
