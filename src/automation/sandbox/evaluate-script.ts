/** One run of one script in an instance, start to end, on the thread that calls it. */
import { createHash } from 'node:crypto';
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten';
import { checkSourceText, explainSyntaxError, wrapScript } from './check-source.ts';
import { describeError, type EngineError, isOutOfMemory } from './describe-error.ts';
import { guestPrelude, PRELUDE_FILE } from './guest-prelude.ts';
import { type Position, positionOfStack, SCRIPT_FILE, scriptStack, snippetAt } from './locate-error.ts';
import type { Instance } from './open-instance.ts';
import { cpuClock } from './cpu-clock.ts';
import type { ScriptLimits } from './script-limits.ts';
import type { LogLevel, Outcome, ScriptError, ScriptErrorKind, ScriptLog } from './script-result.ts';

export interface ScriptInput {
  source: string;
  /** JSON text; becomes `context`. */
  contextJson: string;
  /** What `Date` takes for now, in milliseconds since 1970. */
  nowMs: number;
  /** Any text; the same text gives the same `Math.random`. */
  seed: string;
}

/** Answer to a host call: JSON text ('' for undefined), or a refusal that the script can catch. */
export type HostAnswer = { ok: true; json: string } | { ok: false; code: string; message: string };

export interface SandboxHost {
  /** Names of the methods that `api` shall have beside the loggers. */
  readonly methods: readonly string[];
  log(entry: ScriptLog): void;
  /** Rejects only when the run shall end without a result: the rejection becomes that of `evaluateScript`. */
  call(method: string, argsJson: string, line: number | null): Promise<HostAnswer>;
}

export interface Evaluation {
  outcome: Outcome;
  /** Whether the instance may serve another run of the same workspace. */
  reusable: boolean;
}

interface Stop {
  kind: ScriptErrorKind;
  name: string;
  message: string;
  position: Position | null;
}

const EVAL_STRICT = 1 << 3;
/** Jobs between two looks at the clock: a flood of built-in jobs never asks the interrupt handler. */
const JOBS_PER_SLICE = 1000;
/** What the engine may still compute for a run that was stopped, to say where it was. */
const DESCRIBE_MS = 50;
const MiB = 1024 * 1024;

export async function evaluateScript(
  instance: Instance,
  script: ScriptInput,
  limits: ScriptLimits,
  host: SandboxHost,
): Promise<Evaluation> {
  const fault = checkSourceText(script.source, limits);
  if (fault !== null) {
    return { outcome: { resultJson: null, error: fault, durationMs: 0, cpuMs: 0 }, reusable: true };
  }
  return await new ScriptRun(instance, script, limits, host).run();
}

class ScriptRun {
  readonly #instance: Instance;
  readonly #script: ScriptInput;
  readonly #limits: ScriptLimits;
  readonly #host: SandboxHost;
  readonly #cpu = cpuClock();
  readonly #startedAt = performance.now();
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  #guest: Record<'start' | 'settle' | 'finish' | 'describe', QuickJSHandle> | null = null;
  /** Set once, by a limit: from then on nothing the script does or returns counts. */
  #stop: Stop | null = null;
  #ended = false;
  #graceUntil = Number.POSITIVE_INFINITY;
  #lastPosition: Position | null = null;
  #logLines = 0;
  #logBytes = 0;
  #calls = 0;
  #outstanding = 0;
  #answers: { id: number; answer: HostAnswer }[] = [];
  #aborted: { reason: unknown } | null = null;
  #wake: () => void = () => {};

  constructor(instance: Instance, script: ScriptInput, limits: ScriptLimits, host: SandboxHost) {
    this.#instance = instance;
    this.#script = script;
    this.#limits = limits;
    this.#host = host;
    this.#runtime = instance.engine.newRuntime({
      interruptHandler: () => this.#mustStop(),
      maxStackSizeBytes: limits.stackBytes,
    });
    this.#context = this.#runtime.newContext();
    instance.onPressure = (pressure) => {
      const bytes = pressure === 'soft' ? limits.memorySoftBytes : limits.memoryBytes;
      this.#halt('memory', 'MemoryLimitError', `The script used more than ${Math.floor(bytes / MiB)} MiB of memory`);
    };
  }

  async run(): Promise<Evaluation> {
    let result: { json: string | null; error: ScriptError | null };
    let broken = false;
    try {
      result = await this.#evaluate();
    } catch (error) {
      if (this.#aborted !== null) throw this.#aborted.reason;
      // The engine itself gave up: a trap, or V8's stack before QuickJS's own limit.
      broken = true;
      result = { json: null, error: this.#engineFailure(error) };
    }
    this.#ended = true;
    this.#instance.onPressure = () => {};
    const { json, error } = result;
    const outcome: Outcome = { resultJson: json, error, durationMs: this.#elapsedMs(), cpuMs: this.#cpu() };
    const abnormal = broken || this.#stop !== null || error?.kind === 'memory' || error?.name === 'InternalError';
    return { outcome, reusable: !abnormal && this.#dispose() };
  }

  async #evaluate(): Promise<{ json: string | null; error: ScriptError | null }> {
    const { source, contextJson } = this.#script;
    const context = this.#context;
    const guest = this.#bootGuest();
    const evaluated = context.evalCode(wrapScript(source), SCRIPT_FILE, EVAL_STRICT);
    if (evaluated.error !== undefined) return this.#failure(evaluated.error);
    const started = evaluated.value.consume((script) =>
      context.newString(contextJson).consume((text) => context.callFunction(guest.start, context.undefined, script, text)),
    );
    if (started.error !== undefined) return this.#failure(started.error);
    const promise = started.value;
    for (;;) {
      this.#runJobs();
      const state = context.getPromiseState(promise);
      if (state.type === 'rejected') return this.#failure(state.error);
      if (this.#stop !== null) return this.#failure(null);
      if (state.type === 'fulfilled') return this.#finish(guest.finish, state.value);
      if (this.#outstanding === 0) {
        this.#halt('runtime', 'NeverSettledError', 'The script waits for something that will never happen');
        return this.#failure(null);
      }
      await this.#nextAnswers();
    }
  }

  #bootGuest(): NonNullable<typeof this.__guest> {
    const context = this.#context;
    const settings = {
      methods: this.#host.methods,
      now: this.#script.nowMs,
      seed: seedWords(this.#script.seed),
      logChars: this.#limits.logBytes + 1,
      callChars: this.#limits.hostCallBytes,
      resultChars: this.#limits.resultBytes,
      scriptChars: wrapScript(this.#script.source).length - 2,
    };
    const prelude = context.unwrapResult(context.evalCode(guestPrelude, PRELUDE_FILE, EVAL_STRICT));
    const log = context.newFunction('log', (...values) => this.#onLog(values));
    const call = context.newFunction('call', (...values) => this.#onCall(values));
    const text = context.newString(JSON.stringify(settings));
    const made = context.unwrapResult(context.callFunction(prelude, context.undefined, log, call, text));
    const guest = {
      start: context.getProp(made, 'start'),
      settle: context.getProp(made, 'settle'),
      finish: context.getProp(made, 'finish'),
      describe: context.getProp(made, 'describe'),
    };
    for (const handle of [prelude, log, call, text, made]) handle.dispose();
    this.#guest = guest;
    return guest;
  }
}
