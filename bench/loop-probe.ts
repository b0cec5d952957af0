/**
 * Loaded before a process with --import: records how long its event loop was ever blocked, and writes the
 * figures to the file LOOP_PROBE_FILE at every SIGUSR2, with the first of which it begins: watching costs a thirtieth of a processor,
 * which is not to be among what is counted as the service's. On a crowded machine a tick is late because the thread
 * got no processor; that is told from being busy by the processor time the thread itself has used meanwhile, and on Linux from
 * waiting for something else by the time that it stood in line for a processor.
 */
import { closeSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 5;
const file = process.env.LOOP_PROBE_FILE;

if (isMainThread && file !== undefined) {
  let lateMs = 0;
  let busyMs = 0;
  let queuedMs = 0;
  const queued = openQueued();
  let inLine = 0;
  let at = 0;
  let cpu = process.threadCpuUsage();
  let isWatching = false;
  const watch = () => {
    isWatching = true;
    inLine = queued();
    at = performance.now();
    cpu = process.threadCpuUsage();
    setInterval(look, TICK_MS).unref();
  };
  const look = () => {
    const now = performance.now();
    const used = process.threadCpuUsage();
    const late = Math.max(0, now - at - TICK_MS);
    const own = (used.user + used.system - cpu.user - cpu.system) / 1000;
    lateMs = Math.max(lateMs, late);
    busyMs = Math.max(busyMs, Math.min(late, own));
    const stood = queued();
    queuedMs = Math.max(queuedMs, Math.min(late, stood - inLine));
    inLine = stood;
    at = now;
    cpu = used;
  };
  process.on('SIGUSR2', () => {
    if (!isWatching) watch();
    writeFileSync(`${file}.new`, JSON.stringify({ lateMs, busyMs, queuedMs }));
    renameSync(`${file}.new`, file);
    lateMs = 0;
    busyMs = 0;
    queuedMs = 0;
  });
}

/** How long this thread has stood in line for a processor so far, in milliseconds; always 0 where nobody counts it. */
function openQueued(): () => number {
  const text = Buffer.alloc(128);
  try {
    const counts = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    process.on('exit', () => closeSync(counts));
    // Computed, waited, times: nanoseconds both.
    return () =>
      Number(text.toString('latin1', 0, readSync(counts, text, 0, text.length, 0)).split(' ')[1]) / 1e6;
  } catch {
    return () => 0;
  }
}
