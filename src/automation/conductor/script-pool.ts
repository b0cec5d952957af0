/** The threads that run scripts: one script a thread, a hostile one costs its thread and nobody else's time. */
import { fileURLToPath } from 'node:url';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Config } from '../../config.ts';
import { refuseInTransaction, refuseScriptsInTransaction } from '../../db/transaction-mark.ts';
import { syntaxErrorAt } from '../sandbox/check-source.ts';
import type { ScriptInput } from '../sandbox/sandbox-host.ts';
import { defaultScriptLimits, type ScriptLimits } from '../sandbox/script-limits.ts';
import type { ScriptError, ScriptResult } from '../sandbox/script-result.ts';
import type { HostCalls } from './answer-host-call.ts';
import { apiMethods } from './api.schema.ts';
import { TaskConductor } from './conduct-task.ts';
import { CpuWatch } from './cpu-watch.ts';
import { cutOffOf } from './cut-off.ts';
import { Patience } from './patience.ts';
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
  /** The present time of `Date`. */
  now: Date;
  /** `Math.random` follows from it: the run's id, say. */
  seed: string;
}

export interface ScriptRun extends ScriptSource {
  /** Made one at a time, in the order of the script. */
  hostCalls: HostCalls;
  /** Limits that differ from the pool's. */
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
  /** Resolves to null if the script compiles. */
  checkSyntax(source: string): Promise<ScriptError | null>;
  close(): Promise<void>;
}

/** The thread's own stack, in V8: QuickJS recurses on it, and must reach its own limit first. */
const THREAD_STACK_MB = 16;
/** Twice what a script's limits leave room for: V8 stops to collect once instances outside the heap make half of it. */
const THREAD_HEAP_MB = 256;
/** Room for what an instance leaves: promoted, it makes V8 collect while everything stands still. */
const THREAD_YOUNG_MB = 48;
/** CPU time past the limit after which a run that the engine does not end is ended with its thread. */
const CPU_GRACE_MS = 100;
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
  /** The result of `threadNice` of src/config.ts. */
  nice?: number;
}

/** Reads from the top down: what callers ask for, the task that serves them, the thread that it runs in. */
export class ThreadedScriptPool implements ScriptPool {
  readonly threads: number;
  readonly #limits: ScriptLimits;
  readonly #pool: Piscina;
  /** The listeners to the messages of each task's thread. */
  readonly #listeners = new Map<number, Listener>();
  #lastTaskId = 0;
  #closing = false;

  constructor({ threads, limits, nice = 0 }: ScriptPoolOptions) {
    this.threads = threads;
    this.#limits = limits;
    this.#pool = startThreads(threads, nice);
    // A thread that ends while it has nothing to do: the process says so (end-at-fault.ts), and the next script gets another.
    this.#pool.on('error', () => {});
    this.#pool.on('message', ({ scriptPort }: ThreadHello) => {
      scriptPort.on('message', (message: ThreadMessage) => this.#hear(message, scriptPort));
      // It lets the process end; a task that is under way does not.
      scriptPort.unref();
    });
  }

  async runScript({ hostCalls, limits, signal, ...source }: ScriptRun): Promise<ScriptResult> {
    const [result] = await this.runScripts({
      runs: [source],
      hostCalls: () => hostCalls,
      ...(limits === undefined ? {} : { limits }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (result === undefined) throw new Error('a run ended without a result');
    return result;
  }

  async runScripts(job: ScriptRuns): Promise<ScriptResult[]> {
    refuseScriptsInTransaction();
    const results: ScriptResult[] = [];
    for (let next = 0; next < job.runs.length; ) {
      const reached = await this.#runTask(job, next, results);
      if (reached <= next) throw new Error('a task ended without a result');
      next = reached;
    }
    return results;
  }

  async checkSyntax(source: string): Promise<ScriptError | null> {
    refuseInTransaction('A script is compiled');
    const patience = new Patience(SYNTAX_CHECK_MS);
    // Counted from when a thread begins with it; there may be scripts to wait for.
    const taskId = this.#listen({ receive: () => patience.start() });
    const task: SyntaxTask = { taskId, source, limits: this.#limits };
    try {
      return (await this.#pool.run(task, { name: 'checkSyntax', signal: patience.signal })) as SyntaxOutcome;
    } catch (error) {
      if (!patience.isOver) throw error;
      return syntaxErrorAt(source, 'the script takes too long to compile', null);
    } finally {
      patience.stop();
      this.#listeners.delete(taskId);
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#pool.destroy();
  }

  /** Runs from `first` on, until they are through or a thread had to be killed; returns where to go on. */
  async #runTask(job: ScriptRuns, first: number, results: ScriptResult[]): Promise<number> {
    const limits = { ...this.#limits, ...job.limits };
    const runs = job.runs.slice(first).map(inputOf);
    const patience = new Patience(limits.wallMs + limits.killGraceMs);
    const watch = new CpuWatch(limits.cpuMs + CPU_GRACE_MS, () => patience.end());
    const conductor = new TaskConductor(runs, limits, {
      hostCalls: (run) => job.hostCalls(first + run),
      onResult: async (run, result) => {
        results[first + run] = result;
        await job.onResult?.(first + run, result);
      },
      onRunning: (clock) => {
        patience.start();
        const worker = this.#pool.threads.find(({ threadId }) => threadId === clock?.threadId);
        if (worker !== undefined && clock !== null) watch.begin(worker, clock.computedMs);
      },
    });
    const taskId = this.#listen(conductor);
    const alive = setInterval(() => {}, patience.ms);
    const onAbort = () => {
      conductor.stop();
      patience.end();
    };
    job.signal?.addEventListener('abort', onAbort, { once: true });
    const [reached] = await Promise.allSettled([
      this.#untilReached({ taskId, runs, limits }, conductor, { patience, watch }, job.signal),
    ]);
    patience.stop();
    watch.stop();
    job.signal?.removeEventListener('abort', onAbort);
    conductor.stop();
    await conductor.idle();
    clearInterval(alive);
    this.#listeners.delete(taskId);
    // What the host could not do outranks what came of it.
    if (conductor.failure !== null) throw conductor.failure.reason;
    if (reached.status === 'rejected') throw reached.reason;
    return first + reached.value;
  }

  /** Gives the task to a thread. Resolves to the run that it got to, when all results before it are out. */
  async #untilReached(
    task: ScriptTask,
    conductor: TaskConductor,
    { patience, watch }: { patience: Patience; watch: CpuWatch },
    signal: AbortSignal | undefined,
  ): Promise<number> {
    signal?.throwIfAborted();
    const [ended] = await Promise.allSettled([
      this.#pool.run(task, { name: 'runScripts', signal: patience.signal }) as Promise<TaskOutcome>,
    ]);
    patience.stop();
    watch.stop();
    // Piscina has a port of its own: what the thread said before it ended may still be in ours.
    this.#hearTheRest(conductor.port);
    const runs = task.runs.length;
    if (ended.status === 'rejected' && conductor.failure === null) {
      signal?.throwIfAborted();
      if (!conductor.started || this.#closing) throw ended.reason;
      if (conductor.current < runs)
        conductor.cutOff(cutOffOf(ended.reason, task.limits, { patience, watch }));
    }
    const isThrough = ended.status === 'fulfilled' || conductor.current === runs;
    if (conductor.failure === null && isThrough) {
      await conductor.finished().catch((reason) => {
        signal?.throwIfAborted();
        throw reason;
      });
    }
    return conductor.current;
  }

  /** Returns the id of the task that is listened to. */
  #listen(listener: Listener): number {
    this.#lastTaskId += 1;
    this.#listeners.set(this.#lastTaskId, listener);
    return this.#lastTaskId;
  }

  #hear(message: ThreadMessage, port: MessagePort): void {
    this.#listeners.get(message.taskId)?.receive(message, port);
  }

  /** The next task of the same thread may have spoken already: each message goes to its own. */
  #hearTheRest(port: MessagePort | null): void {
    if (port === null) return;
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
      this.#hear(next.message, port);
  }
}

type Listener = Pick<TaskConductor, 'receive'>;

function startThreads(threads: number, nice: number): Piscina {
  return new Piscina({
    filename: fileURLToPath(new URL('../../../workers/run-script.ts', import.meta.url)),
    // All of them always: a killed thread is replaced at once, not when the next task comes.
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    niceIncrement: nice,
    workerData: { methods: apiMethods } satisfies ScriptThreadOptions,
    // Nothing of ours is in a thread's environment.
    env: { TZ: 'UTC' },
    resourceLimits: {
      stackSizeMb: THREAD_STACK_MB,
      maxOldGenerationSizeMb: THREAD_HEAP_MB,
      maxYoungGenerationSizeMb: THREAD_YOUNG_MB,
    },
  });
}

function inputOf({ source, context, now, seed }: ScriptSource): ScriptInput {
  return { source, contextJson: JSON.stringify(context) ?? 'null', nowMs: now.getTime(), seed };
}
