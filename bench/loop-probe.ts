/**
 * Loaded before a process with --import: records how long its event loop was ever blocked, and writes the
 * figures to the file LOOP_PROBE_FILE at every SIGUSR2.
 */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.LOOP_PROBE_FILE;
if (isMainThread && file !== undefined) {
  const resolutionMs = 5;
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  // What the histogram holds is the time between two timer ticks: the tick's own interval is no delay.
  const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
  process.on('SIGUSR2', () => {
    const figures = {
      maxMs: ms(delay.max),
      p99Ms: ms(delay.percentile(99)),
      p999Ms: ms(delay.percentile(99.9)),
    };
    writeFileSync(`${file}.new`, JSON.stringify(figures));
    writeFileSync(file, JSON.stringify(figures));
    delay.reset();
  });
}
