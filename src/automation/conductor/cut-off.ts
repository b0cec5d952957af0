/** Tells why the thread of a run ended before the run did. */
import { cpuLimitMessage, type ScriptLimits } from '../sandbox/script-limits.ts';
import type { CutOff } from './conduct-task.ts';
import type { CpuWatch } from './cpu-watch.ts';
import type { Patience } from './patience.ts';

export function cutOffOf(
  reason: unknown,
  { cpuMs }: ScriptLimits,
  { patience, watch }: { patience: Patience; watch: CpuWatch },
): CutOff {
  if (watch.isOver) return { kind: 'timeout', name: 'CpuLimitError', message: cpuLimitMessage(cpuMs) };
  if (patience.isOver) {
    return {
      kind: 'timeout',
      name: 'TimeLimitError',
      message: `The script did not stop within ${patience.ms} ms and was ended`,
    };
  }
  if ((reason as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return {
      kind: 'memory',
      name: 'MemoryLimitError',
      message: 'The script used up the memory of its thread',
    };
  }
  return { kind: 'runtime', name: 'EngineError', message: 'The script broke the engine that ran it' };
}
