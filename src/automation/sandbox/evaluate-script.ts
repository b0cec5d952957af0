/**
 * Runs one script once in an instance, from start to end, on the thread that calls it. Handles are not disposed
 * of: after an interrupt that may abort the engine, and the memory they are in is overwritten or dropped.
 */
import { createHash } from 'node:crypto';
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten';
import { checkSourceText, explainSyntaxError, wrapScript } from './check-source.ts';
import { describeThrown, errorOfStop, errorOfThrown, scriptError } from './describe-error.ts';
import type { Guest } from './guest-image.ts';
import { type Position, positionOfStack, SCRIPT_FILE } from './locate-error.ts';
import type { Instance } from './open-instance.ts';
import { RunMeter } from './run-meter.ts';
import type { Evaluation, HostAnswer, SandboxHost, ScriptInput } from './sandbox-host.ts';
import type { ScriptLimits } from './script-limits.ts';
import type { LogLevel, ScriptError } from './script-result.ts';

type Ending = { resultJson: string | null; error: ScriptError | null };

const EVAL_STRICT = 1 << 3;
/** Jobs between two looks at the clock: a flood of built-in jobs never asks the interrupt handler. */
const JOBS_PER_SLICE = 1000;

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
  readonly #meter: RunMeter;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #guest: Guest;
  readonly #unhandledRejection: () => QuickJSHandle | null;
  #ended = false;
  #lastPosition: Position | null = null;
  #logLines = 0;
  #logBytes = 0;
  #calls = 0;
  #outstanding = 0;
  #answers: { id: number; answer: HostAnswer }[] = [];
  #abandoned: { reason: unknown } | null = null;
  #wake: () => void = () => {};

  constructor(instance: Instance, script: ScriptInput, limits: ScriptLimits, host: SandboxHost) {
    this.#instance = instance;
    this.#script = script;
    this.#limits = limits;
    this.#host = host;
    this.#meter = new RunMeter(limits, host);
    instance.onPressure = (pressure) => this.#meter.haltForMemory(pressure);
    const { runtime, context, guest, unhandledRejection } = instance.boot(
      {
        log: (level, messageJson, stack) => this.#log(level, messageJson, stack),
        call: (id, method, argsJson, stack) => this.#call(id, method, argsJson, stack),
      },
      () => this.#meter.mustInterrupt(),
    );
    runtime.setMaxStackSize(limits.stackBytes);
    this.#runtime = runtime;
    this.#context = context;
    this.#guest = guest;
    this.#unhandledRejection = unhandledRejection;
  }

  async run(): Promise<Evaluation> {
    let ending: Ending;
    let broken = false;
    try {
      ending = await this.#evaluate();
    } catch (error) {
      if (this.#abandoned !== null) throw this.#abandoned.reason;
      // The engine gave up: a trap, V8's stack before QuickJS's own limit, no memory to say what happened.
      broken = true;
      ending = { resultJson: null, error: this.#engineFailure(error) };
    }
    this.#ended = true;
    const { error } = ending;
    broken ||= this.#meter.stop !== null || error?.kind === 'memory' || error?.name === 'InternalError';
    this.#instance.onPressure = () => {};
    return {
      outcome: { ...ending, durationMs: this.#meter.elapsedMs(), cpuMs: this.#meter.cpuMs() },
      reusable: !broken,
    };
  }

  async #evaluate(): Promise<Ending> {
    const { source } = this.#script;
    const context = this.#context;
    const { begin, start } = this.#guest;
    context.unwrapResult(context.callFunction(begin, context.undefined, context.newString(this.#settings())));
    const evaluated = context.evalCode(wrapScript(source), SCRIPT_FILE, EVAL_STRICT);
    if (evaluated.error !== undefined) return this.#failure(evaluated.error, true);
    const text = context.newString(this.#script.contextJson);
    const started = context.callFunction(start, context.undefined, evaluated.value, text);
    if (started.error !== undefined) return this.#failure(started.error);
    const promise = started.value;
    if (context.typeof(promise) === 'undefined') return { resultJson: null, error: this.#strayBracket() };
    for (;;) {
      this.#runJobs();
      const state = context.getPromiseState(promise);
      if (state.type === 'rejected') return this.#failure(state.error);
      if (this.#meter.stop !== null) return this.#failure(null);
      if (state.type === 'fulfilled') return this.#finish(state.value);
      if (this.#outstanding === 0) {
        this.#meter.halt(
          'runtime',
          'NeverSettledError',
          'The script waits for something that will never happen',
        );
        return this.#failure(null);
      }
      await this.#nextAnswers();
    }
  }

  #settings(): string {
    const { logBytes, hostCallBytes, resultBytes } = this.#limits;
    const digest = createHash('sha256').update(this.#script.seed).digest();
    return JSON.stringify({
      now: this.#script.nowMs,
      seed: [0, 4, 8, 12].map((offset) => digest.readInt32LE(offset)),
      logChars: logBytes + 1,
      callChars: hostCallBytes,
      resultChars: resultBytes,
      // Without the outer brackets.
      scriptChars: wrapScript(this.#script.source).length - 2,
    });
  }

  #strayBracket(): ScriptError {
    const { source } = this.#script;
    const wrapped = { message: 'the script closes a bracket that it did not open', line: null, column: null };
    return explainSyntaxError(this.#context, source, wrapped);
  }

  #runJobs(): void {
    while (this.#meter.stop === null && this.#runtime.hasPendingJob()) {
      const ran = this.#runtime.executePendingJobs(JOBS_PER_SLICE);
      if (ran.error !== undefined) {
        ran.error.dispose();
        // Only an interrupt comes through here; other errors become rejections.
        this.#meter.checkClocks();
        if (this.#meter.stop === null) throw new Error('A job failed outside of any promise');
      }
      this.#meter.checkClocks();
    }
  }

  /** Waits for the host, no longer than the run may take, and hands its answers to the guest. */
  async #nextAnswers(): Promise<void> {
    if (this.#answers.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, this.#limits.wallMs - this.#meter.elapsedMs());
      await promise;
      clearTimeout(timer);
      this.#meter.goOn();
    }
    if (this.#abandoned !== null) throw this.#abandoned.reason;
    this.#meter.checkClocks();
    const answers = this.#answers.splice(0);
    if (this.#meter.stop === null) for (const { id, answer } of answers) this.#settle(id, answer);
  }

  #settle(id: number, answer: HostAnswer): void {
    const context = this.#context;
    const [first, second] = answer.ok ? [answer.json, ''] : [answer.code, answer.message];
    const values = [
      context.newNumber(id),
      answer.ok ? context.true : context.false,
      context.newString(first),
      context.newString(second),
    ];
    const settled = context.callFunction(this.#guest.settle, context.undefined, values);
    for (const value of values) value.dispose();
    this.#outstanding -= 1;
    if (settled.error === undefined) settled.value.dispose();
    else {
      settled.error.dispose();
      this.#meter.checkClocks();
      if (this.#meter.stop === null) throw new Error('The guest could not take an answer');
    }
  }

  #log(level: string, messageJson: string, stack: string): void {
    const position = this.#positionNow(stack);
    const message = String(JSON.parse(messageJson));
    this.#logLines += 1;
    this.#logBytes += Buffer.byteLength(message);
    const { logLines, logBytes } = this.#limits;
    if (this.#logLines > logLines || this.#logBytes > logBytes) {
      const limit = this.#logLines > logLines ? `${logLines} lines` : `${logBytes} bytes`;
      this.#meter.halt('runtime', 'LogLimitError', `The script logged more than ${limit}`, position);
    }
    this.#refuseAfterEnd();
    this.#host.log({ level: level as LogLevel, message, line: position?.line ?? null });
  }

  #call(id: number, method: string, argsJson: string, stack: string): void {
    const position = this.#positionNow(stack);
    this.#calls += 1;
    if (this.#calls > this.#limits.hostCalls) {
      const message = `The script made more than ${this.#limits.hostCalls} api calls`;
      this.#meter.halt('api', 'ApiLimitError', message, position);
    }
    this.#refuseAfterEnd();
    this.#outstanding += 1;
    this.#host.call(method, argsJson, position?.line ?? null).then(
      (answer) => {
        this.#answers.push({ id, answer });
        this.#wake();
      },
      (reason: unknown) => {
        this.#abandoned = { reason };
        this.#wake();
      },
    );
  }

  #positionNow(stack: string): Position | null {
    const position = positionOfStack(this.#script.source, stack);
    this.#lastPosition = position ?? this.#lastPosition;
    return position;
  }

  /** A script that caught its own end has no host any more. */
  #refuseAfterEnd(): void {
    this.#meter.checkClocks();
    const stop = this.#meter.stop;
    if (stop !== null) throw Object.assign(new Error(stop.message), { name: stop.name });
    if (this.#ended) throw new Error('The run has ended');
  }

  #finish(value: QuickJSHandle): Ending {
    const context = this.#context;
    const finished = context.callFunction(this.#guest.finish, context.undefined, value);
    if (finished.error !== undefined) return this.#failure(finished.error);
    if (this.#meter.stop !== null) return this.#failure(null);
    const text = context.getString(finished.value);
    const { source } = this.#script;
    if (text.startsWith('!call')) {
      const [method, ...stack] = text.slice('!call'.length).split('\n');
      const position = positionOfStack(source, stack.join('\n'));
      const message = `The script ended without waiting for api.${method}(): write "await" before it`;
      return {
        resultJson: null,
        error: scriptError(source, { kind: 'api', name: 'UnawaitedCallError', message, position }),
      };
    }
    // A function that nobody waited for has failed.
    const rejection = this.#unhandledRejection();
    if (rejection !== null) return this.#failure(rejection);
    const { resultBytes } = this.#limits;
    if (text === '!size' || Buffer.byteLength(text) > resultBytes) {
      const message = `The script returned more than ${resultBytes} bytes of JSON`;
      return {
        resultJson: null,
        error: scriptError(source, {
          kind: 'runtime',
          name: 'ResultLimitError',
          message,
          position: this.#lastPosition,
        }),
      };
    }
    return { resultJson: text === '' ? null : text, error: null };
  }

  /** `reason` is what the script or the engine threw. `compiling` until it has a function to run. */
  #failure(reason: QuickJSHandle | null, compiling = false): Ending {
    const { source } = this.#script;
    const thrown = reason === null ? null : describeThrown(this.#context, this.#guest, this.#meter, reason);
    const { stop } = this.#meter;
    if (stop !== null)
      return { resultJson: null, error: errorOfStop(source, stop, thrown, this.#lastPosition) };
    if (compiling) {
      // The wrapper alone runs nothing: it did not compile, or the script closed its bracket.
      const own = thrown?.fileName === SCRIPT_FILE;
      const wrapped = {
        message: thrown?.message ?? 'not a script',
        line: (own ? thrown.lineNumber : null) ?? null,
        column: (own ? thrown.columnNumber : null) ?? null,
      };
      return { resultJson: null, error: explainSyntaxError(this.#context, source, wrapped) };
    }
    return { resultJson: null, error: errorOfThrown(source, thrown, this.#lastPosition) };
  }

  #engineFailure(error: unknown): ScriptError {
    const { source } = this.#script;
    const { stop } = this.#meter;
    if (stop !== null) return errorOfStop(source, stop, null, this.#lastPosition);
    if (error instanceof RangeError) {
      return scriptError(source, {
        kind: 'runtime',
        name: 'InternalError',
        message: 'stack overflow',
        position: this.#lastPosition,
      });
    }
    const message = 'The script broke the engine that ran it';
    return scriptError(source, {
      kind: 'runtime',
      name: 'EngineError',
      message,
      position: this.#lastPosition,
    });
  }
}
