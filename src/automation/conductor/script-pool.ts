/** The threads that run scripts: one script a thread, a hostile one costs its thread and nobody else's time. */
import { fileURLToPath } from 'node:url';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Config } from '../../config.ts';
import { refuseInTransaction, refuseScriptsInTransaction } from '../../db/transaction-mark.ts';
import { syntaxErrorAt } from '../sandbox/check-source.ts';
import { defaultScriptLimits, type ScriptLimits } from '../sandbox/script-limits.ts';
import type { ScriptError, ScriptResult } from '../sandbox/script-result.ts';
import type { HostCalls } from './answer-host-call.ts';
import { apiMethods } from './api.schema.ts';
import { type CutOff, TaskConductor } from './conduct-task.ts';
import type {
  ScriptTask,
  ScriptThreadOptions,
  SyntaxOutcome,
  SyntaxTask,
  TaskOutcome,
  ThreadHello,
  ThreadMessage,
} from './script-task.ts';

export interface ScriptSource {
  source: string;
  /** Becomes `context`; must be JSON. */
  context: unknown;
  /** What `Date` says. */
  now: Date;
  /** `Math.random` follows from it: the run's id, say. */
  seed: string;
}

export interface ScriptRun extends ScriptSource {
  /** Made one at a time, in the order of the script. */
  hostCalls: HostCalls;
  /** What differs from the pool's limits. */
  limits?: Partial<ScriptLimits>;
  /** Ends the run; `runScript` rejects with its reason. */
  signal?: AbortSignal;
}

/** Runs of one job of one workspace. They share an instance while nothing abnormal happens in it. */
export interface ScriptRuns {
  runs: ScriptSource[];
  hostCalls(run: number): HostCalls;
  /** Called in order; host calls of the next run wait for it. A rejection ends the job and rejects `runScripts`. */
  onResult?(run: number, result: ScriptResult): void | Promise<void>;
  limits?: Partial<ScriptLimits>;
  signal?: AbortSignal;
}

export interface ScriptPool {
  readonly threads: number;
  /**
   * Resolves whatever the script did; rejects with what the host's side threw (see `HostCalls`), with the
   * signal's reason, or when the pool closes. Settles after the last host call has: a transaction may then end.
   */
  runScript(run: ScriptRun): Promise<ScriptResult>;
  runScripts(job: ScriptRuns): Promise<ScriptResult[]>;
  /** Null where the script compiles. */
  checkSyntax(source: string): Promise<ScriptError | null>;
  close(): Promise<void>;
}

/** The thread's own stack, in V8: QuickJS recurses on it, and must reach its own limit first. */
const THREAD_STACK_MB = 16;
/** Twice what a script's limits leave room for: V8 stops to collect once instances outside the heap make half of it. */
const THREAD_HEAP_MB = 256;
/** Room for what an instance leaves: promoted, it makes V8 collect while everything stands still. */
const THREAD_YOUNG_MB = 64;
/** Compiling is bounded by the size of a script; what takes longer is made to take long. */
const SYNTAX_CHECK_MS = 2000;

export function scriptLimits(config: Config): ScriptLimits {
  return {
    ...defaultScriptLimits,
    cpuMs: config.SCRIPT_CPU_MS,
    wallMs: config.SCRIPT_WALL_MS,
    memoryBytes: config.SCRIPT_MEMORY_BYTES,
    memorySoftBytes: Math.floor(config.SCRIPT_MEMORY_BYTES * 0.75),
    sourceBytes: config.SCRIPT_SOURCE_BYTES_MAX,
    logLines: config.SCRIPT_LOG_LINES_MAX,
    logBytes: config.SCRIPT_LOG_BYTES_MAX,
    hostCalls: config.SCRIPT_API_CALLS_MAX,
    hostCallBytes: config.SCRIPT_API_CALL_BYTES_MAX,
    resultBytes: config.SCRIPT_RESULT_BYTES_MAX,
  };
}

export interface ScriptPoolOptions {
  threads: number;
  limits: ScriptLimits;
  /** A thread died while it had nothing to do. */
  onThreadError?: (error: unknown) => void;
}

export function openScriptPool(options: ScriptPoolOptions): ScriptPool {
  const { threads, limits } = options;
  const pool = new Piscina({
    filename: fileURLToPath(new URL('../../../workers/run-script.ts', import.meta.url)),
    // All of them always: a killed thread is replaced at once, not when the next task comes.
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    workerData: { methods: apiMethods } satisfies ScriptThreadOptions,
    // Nothing of ours is in a thread's environment.
    env: { TZ: 'UTC' },
    resourceLimits: {
      stackSizeMb: THREAD_STACK_MB,
      maxOldGenerationSizeMb: THREAD_HEAP_MB,
      maxYoungGenerationSizeMb: THREAD_YOUNG_MB,
    },
  });
  pool.on('error', options.onThreadError ?? (() => {}));
  const tasks = new Map<number, Pick<TaskConductor, 'receive'>>();
  let lastTaskId = 0;
  let closing = false;
  pool.on('message', ({ scriptPort }: ThreadHello) => {
    scriptPort.on('message', (message: ThreadMessage) => hear(message, scriptPort));
    scriptPort.unref();
  });

  function hear(message: ThreadMessage, port: MessagePort): void {
    tasks.get(message.taskId)?.receive(message, port);
  }

  /** Runs from `first` on, until they are through or a thread had to be killed; returns where to go on. */
  async function runTask(job: ScriptRuns, first: number, results: ScriptResult[]): Promise<number> {
    const taskLimits = { ...limits, ...job.limits };
    const runs = job.runs.slice(first).map(({ source, context, now, seed }) => ({
      source,
      contextJson: JSON.stringify(context) ?? 'null',
      nowMs: now.getTime(),
      seed,
    }));
    const killer = new AbortController();
    const killAfterMs = taskLimits.wallMs + taskLimits.killGraceMs;
    let timer: NodeJS.Timeout | undefined;
    // The ports let the process end; a task that is under way does not.
    const alive = setInterval(() => {}, killAfterMs);
    const conductor = new TaskConductor(runs, taskLimits, {
      hostCalls: (run) => job.hostCalls(first + run),
      onResult: async (run, result) => {
        results[first + run] = result;
        await job.onResult?.(first + run, result);
      },
      onRunning: () => {
        clearTimeout(timer);
        timer = setTimeout(() => killer.abort(), killAfterMs);
      },
    });
    lastTaskId += 1;
    const taskId = lastTaskId;
    tasks.set(taskId, conductor);
    const onAbort = () => {
      conductor.stop();
      killer.abort();
    };
    job.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      job.signal?.throwIfAborted();
      const task: ScriptTask = { taskId, runs, limits: taskLimits };
      const [ended] = await Promise.allSettled([
        pool.run(task, { name: 'runScripts', signal: killer.signal }) as Promise<TaskOutcome>,
      ]);
      clearTimeout(timer);
      // Piscina has a port of its own: what the thread said before it ended may still be in ours.
      drain(conductor.port);
      if (ended.status === 'rejected' && conductor.failure === null) {
        job.signal?.throwIfAborted();
        if (!conductor.started || closing) throw ended.reason;
        if (conductor.current < runs.length)
          conductor.cutOff(cutOffOf(ended.reason, killer.signal.aborted, killAfterMs));
      }
      const through = ended.status === 'fulfilled' || conductor.current === runs.length;
      if (conductor.failure === null && through) await conductor.finished();
      return first + conductor.current;
    } finally {
      clearTimeout(timer);
      job.signal?.removeEventListener('abort', onAbort);
      conductor.stop();
      await conductor.idle();
      clearInterval(alive);
      tasks.delete(taskId);
      // biome-ignore lint/correctness/noUnsafeFinally: what the host could not do outranks what came of it
      if (conductor.failure !== null) throw conductor.failure.reason;
    }
  }

  /** The next task of the same thread may have spoken already: each message goes to its own. */
  function drain(port: MessagePort | null): void {
    if (port === null) return;
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
      hear(next.message, port);
  }

  async function runScripts(job: ScriptRuns): Promise<ScriptResult[]> {
    refuseScriptsInTransaction();
    const results: ScriptResult[] = [];
    for (let next = 0; next < job.runs.length; ) {
      const reached = await runTask(job, next, results);
      if (reached <= next) throw new Error('a task ended without a result');
      next = reached;
    }
    return results;
  }

  async function checkSyntax(source: string): Promise<ScriptError | null> {
    refuseInTransaction('A script is compiled');
    const killer = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    lastTaskId += 1;
    const task: SyntaxTask = { taskId: lastTaskId, source, limits };
    // Counted from when a thread begins with it; there may be scripts to wait for.
    tasks.set(task.taskId, {
      receive: () => {
        timer = setTimeout(() => killer.abort(), SYNTAX_CHECK_MS);
      },
    });
    try {
      return (await pool.run(task, { name: 'checkSyntax', signal: killer.signal })) as SyntaxOutcome;
    } catch (error) {
      if (!killer.signal.aborted) throw error;
      return syntaxErrorAt(source, 'the script takes too long to compile', null);
    } finally {
      clearTimeout(timer);
      tasks.delete(task.taskId);
    }
  }

  return {
    threads,
    runScripts,
    runScript: async ({ source, context, now, seed, hostCalls, limits: own, signal }) => {
      const [result] = await runScripts({
        runs: [{ source, context, now, seed }],
        hostCalls: () => hostCalls,
        ...(own === undefined ? {} : { limits: own }),
        ...(signal === undefined ? {} : { signal }),
      });
      if (result === undefined) throw new Error('a run ended without a result');
      return result;
    },
    checkSyntax,
    close: async () => {
      closing = true;
      await pool.destroy();
    },
  };
}

function cutOffOf(reason: unknown, killed: boolean, killAfterMs: number): CutOff {
  if (killed) {
    return {
      kind: 'timeout',
      name: 'TimeLimitError',
      message: `The script did not stop within ${killAfterMs} ms and was ended`,
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
