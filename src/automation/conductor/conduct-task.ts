/**
 * The host's side of a task: collects logs, makes the host calls one at a time in the order of the script,
 * and puts each run's result together. It outlives the thread, so a killed run keeps its logs and its trace.
 */
import type { MessagePort } from 'node:worker_threads';
import { errorOfStop, scriptError } from '../sandbox/describe-error.ts';
import type { ScriptInput } from '../sandbox/sandbox-host.ts';
import type { ScriptLimits } from '../sandbox/script-limits.ts';
import type {
  ApiCall,
  Outcome,
  RunTimes,
  ScriptError,
  ScriptLog,
  ScriptResult,
} from '../sandbox/script-result.ts';
import { answerHostCall, type HostCalls } from './answer-host-call.ts';
import { cleanJson, cleanText } from './clean-text.ts';
import type { HostMessage, ThreadClock, ThreadMessage } from './script-task.ts';

const RESULT_DEPTH_MAX = 100;

/** The reason why a run was cut off. */
export interface CutOff {
  kind: 'timeout' | 'memory' | 'runtime';
  name: string;
  message: string;
}

export interface TaskEvents {
  hostCalls(run: number): HostCalls;
  /** Awaited before a host call of the next run is made. */
  onResult(run: number, result: ScriptResult): void | Promise<void>;
  /** The thread has begun with a run: its wall clock starts, and its CPU time counts from that of the clock. */
  onRunning(clock: ThreadClock | null): void;
}

export class TaskConductor {
  readonly #runs: ScriptInput[];
  readonly #limits: ScriptLimits;
  readonly #events: TaskEvents;
  readonly #finished = Promise.withResolvers<void>();
  /** Host calls and results, strictly one after the other. */
  #chain: Promise<void> = Promise.resolve();
  #current = 0;
  #started = false;
  #failure: { reason: unknown } | null = null;
  #over = new AbortController();
  #logs: ScriptLog[] = [];
  #apiCalls: ApiCall[] = [];
  #times: RunTimes = { logs: [], calls: [] };
  #lastLine: number | null = null;
  #runningSince = performance.now();
  port: MessagePort | null = null;

  constructor(runs: ScriptInput[], limits: ScriptLimits, events: TaskEvents) {
    this.#runs = runs;
    this.#limits = limits;
    this.#events = events;
    this.#finished.promise.catch(() => {});
  }

  /** The run that the thread is at; the number of runs when it is through. */
  get current(): number {
    return this.#current;
  }

  get started(): boolean {
    return this.#started;
  }

  /** The error of the host itself; the task has no result then. */
  get failure(): { reason: unknown } | null {
    return this.#failure;
  }

  receive(message: ThreadMessage, port: MessagePort): void {
    this.port = port;
    if (message.type === 'started') {
      this.#started = true;
      this.#beginRun(message.clock);
    } else if (message.run !== this.#current) {
      // Said before its run was cut off.
    } else if (message.type === 'log') {
      this.#lastLine = message.entry.line ?? this.#lastLine;
      this.#logs.push({ ...message.entry, message: cleanText(message.entry.message) });
      this.#times.logs.push(this.#elapsedMs());
    } else if (message.type === 'call') {
      this.#lastLine = message.line ?? this.#lastLine;
      this.#answer(message, port);
    } else {
      this.#endRun(message.outcome, message.clock);
    }
  }

  /** The thread is gone: the run that it was at ends so. */
  cutOff({ kind, name, message }: CutOff): void {
    const source = this.#runs[this.#current]?.source ?? '';
    const position = this.#lastLine === null ? null : { line: this.#lastLine, column: null };
    const error = errorOfStop(source, { kind, name, message, position: null }, null, position);
    const durationMs = performance.now() - this.#runningSince;
    this.#endRun({ resultJson: null, error, durationMs, cpuMs: durationMs }, null);
  }

  /** No host call is made from now on, and nothing more is heard; the call under way is told by its signal. */
  stop(): void {
    // Otherwise the run would wait forever for messages that the thread has already sent and nobody has received.
    if (this.#current < this.#runs.length) this.#finished.reject(new Error('The task was stopped'));
    this.#current = this.#runs.length;
    this.#over.abort();
  }

  /** When all results are out. Rejects where `onResult` does, and when it is stopped before. */
  finished(): Promise<void> {
    return this.#finished.promise;
  }

  /** When no host call is under way any more. */
  idle(): Promise<void> {
    return this.#chain;
  }

  #beginRun(clock: ThreadClock | null): void {
    this.#logs = [];
    this.#apiCalls = [];
    this.#times = { logs: [], calls: [] };
    this.#lastLine = null;
    this.#over = new AbortController();
    this.#runningSince = performance.now();
    this.#events.onRunning(clock);
  }

  #answer(call: ThreadMessage & { type: 'call' }, port: MessagePort): void {
    const { run, callId, method, line } = call;
    const { signal } = this.#over;
    const trace = this.#apiCalls;
    const times = this.#times;
    const atMs = this.#elapsedMs();
    this.#link(async () => {
      if (signal.aborted) return;
      if (this.#failure !== null) return port.postMessage({ callId, answer: null } satisfies HostMessage);
      const startedAt = performance.now();
      const entry: ApiCall = { method: cleanText(method).slice(0, 100), line, ms: 0, ok: false };
      trace.push(entry);
      times.calls.push(atMs);
      try {
        const answer = await answerHostCall(this.#events.hostCalls(run), call, this.#limits, signal);
        entry.ok = answer.ok;
        if (!signal.aborted) port.postMessage({ callId, answer } satisfies HostMessage);
      } catch (reason) {
        // A call that failed because its run is over was told to.
        if (signal.aborted) return;
        this.#failure = { reason };
        port.postMessage({ callId, answer: null } satisfies HostMessage);
      } finally {
        entry.ms = performance.now() - startedAt;
      }
    });
  }

  #endRun(outcome: Outcome, clock: ThreadClock | null): void {
    const run = this.#current;
    const source = this.#runs[run]?.source ?? '';
    const logs = this.#logs;
    const apiCalls = this.#apiCalls;
    const times = this.#times;
    this.#over.abort();
    this.#current += 1;
    this.#link(async () => {
      if (this.#failure !== null) return;
      try {
        await this.#events.onResult(run, { ...resultOf(source, outcome, logs, apiCalls), times });
        if (run === this.#runs.length - 1) this.#finished.resolve();
      } catch (reason) {
        this.#failure = { reason };
        this.#finished.reject(reason);
      }
    });
    if (this.#current < this.#runs.length) this.#beginRun(clock);
  }

  #elapsedMs(): number {
    return Math.round((performance.now() - this.#runningSince) * 10) / 10;
  }

  #link(work: () => Promise<void>): void {
    this.#chain = this.#chain.then(work);
  }
}

function resultOf(
  source: string,
  outcome: Outcome,
  logs: ScriptLog[],
  apiCalls: ApiCall[],
): Omit<ScriptResult, 'times'> {
  const { resultJson, durationMs, cpuMs } = outcome;
  let error = outcome.error === null ? null : cleanError(outcome.error);
  let result: unknown = null;
  try {
    if (error === null && resultJson !== null) result = cleanJson(JSON.parse(resultJson), RESULT_DEPTH_MAX);
  } catch {
    const message = `The script returned something nested more than ${RESULT_DEPTH_MAX} deep`;
    error = scriptError(source, { kind: 'runtime', name: 'ResultLimitError', message });
  }
  return { ok: error === null, result, logs, error, apiCalls, durationMs, cpuMs };
}

function cleanError(error: ScriptError): ScriptError {
  const { name, message, snippet, stack } = error;
  return {
    ...error,
    name: cleanText(name),
    message: cleanText(message),
    snippet: snippet === null ? null : cleanText(snippet),
    stack: stack === null ? null : cleanText(stack),
  };
}
