/**
 * The thread that runs scripts. It has no database, no network and no secrets: what a script asks for goes
 * through the thread's port to the host, which checks it (src/automation/conductor/script-pool.ts).
 *
 * Every instance is 16 MiB to V8, so it collects garbage after every few: what this file imports is what that costs.
 */
import { MessageChannel, type MessagePort, parentPort, threadId, workerData } from 'node:worker_threads';
import type {
  HostMessage,
  ScriptTask,
  ScriptThreadOptions,
  SyntaxOutcome,
  SyntaxTask,
  TaskOutcome,
  ThreadClock,
  ThreadHello,
  ThreadMessage,
} from '../src/automation/conductor/script-task.ts';
import { checkScriptSyntax, checkSourceText, syntaxErrorAt } from '../src/automation/sandbox/check-source.ts';
import { evaluateScript } from '../src/automation/sandbox/evaluate-script.ts';
import { Hurry } from '../src/automation/sandbox/hurry.ts';
import { type Instance, openInstance } from '../src/automation/sandbox/open-instance.ts';
import type { HostAnswer, SandboxHost } from '../src/automation/sandbox/sandbox-host.ts';
import { defaultScriptLimits, type ScriptLimits } from '../src/automation/sandbox/script-limits.ts';
import { threadCpuMs } from '../src/fairness/stand-back.ts';

const { methods } = workerData as ScriptThreadOptions;

class Abandoned extends Error {}

let port: MessagePort;
/** Of the last task, to be wiped for the next. */
let kept: { instance: Instance; memoryBytes: number; memorySoftBytes: number } | null = null;
const waiting = new Map<number, PromiseWithResolvers<HostAnswer>>();
let lastCallId = 0;

// The engine asks the thread's Date for the time zone, and a thread cannot have another one than its process.
Date.prototype.getTimezoneOffset = () => 0;
// The engine's bindings report what a script does to them on the console; a script must not fill our log.
for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) console[method] = () => {};
open();
// A thread counts as ready when its first script would find everything compiled.
await openInstance({ ...defaultScriptLimits, methods });

function open(): void {
  const channel = new MessageChannel();
  port = channel.port1;
  port.on('message', ({ callId, answer }: HostMessage) => {
    const call = waiting.get(callId);
    waiting.delete(callId);
    if (answer === null) call?.reject(new Abandoned());
    else call?.resolve(answer);
  });
  parentPort?.postMessage({ scriptPort: channel.port2 } satisfies ThreadHello, [channel.port2]);
}

/** As good as a fresh one: what the last task left is wiped away. */
async function takeInstance(limits: ScriptLimits): Promise<Instance> {
  const last = kept;
  kept = null;
  const { memoryBytes, memorySoftBytes } = limits;
  const fits = last?.memoryBytes === memoryBytes && last.memorySoftBytes === memorySoftBytes;
  if (last !== null && fits && last.instance.wipe()) return last.instance;
  return openInstance({ ...limits, methods });
}

function keepInstance(instance: Instance, { memoryBytes, memorySoftBytes }: ScriptLimits): void {
  kept = { instance, memoryBytes, memorySoftBytes };
}

/** Every run of the task in order; an instance serves the next run only while nothing abnormal happens in it. */
export async function runScripts({ taskId, runs, limits }: ScriptTask): Promise<TaskOutcome> {
  post({ taskId, type: 'started', clock: clockNow() });
  let instance: Instance | null = null;
  // What is true of all runs of a task from one of them on: they are one transaction.
  const hurry = new Hurry();
  for (const [run, script] of runs.entries()) {
    instance ??= await takeInstance(limits);
    try {
      const { outcome, reusable } = await evaluateScript(
        instance,
        script,
        limits,
        hostOf(taskId, run, hurry),
      );
      if (!reusable) instance = null;
      post({ taskId, type: 'ended', run, outcome, clock: clockNow() });
    } catch (error) {
      if (error instanceof Abandoned) return { abandoned: true };
      throw error;
    } finally {
      waiting.clear();
    }
  }
  if (instance !== null) keepInstance(instance, limits);
  return { ended: true };
}

export async function checkSyntax({ taskId, source, limits }: SyntaxTask): Promise<SyntaxOutcome> {
  post({ taskId, type: 'started', clock: clockNow() });
  const fault = checkSourceText(source, limits);
  if (fault !== null) return fault;
  const nothing = () => {};
  const instance = await openInstance({ ...limits, methods });
  const { runtime, context } = instance.boot({ log: nothing, call: nothing }, () => false);
  runtime.setMaxStackSize(limits.stackBytes);
  try {
    return checkScriptSyntax(context, source);
  } catch {
    return syntaxErrorAt(source, 'the script is nested too deeply', null);
  }
}

function hostOf(taskId: number, run: number, hurry: Hurry): SandboxHost {
  const calls: Omit<SandboxHost, 'isHurried'> = {
    log: (entry) => post({ taskId, type: 'log', run, entry }),
    call: async (method, argsJson, line) => {
      lastCallId += 1;
      const asked = Promise.withResolvers<HostAnswer>();
      waiting.set(lastCallId, asked);
      post({ taskId, type: 'call', run, callId: lastCallId, method, argsJson, line });
      const answer = await asked.promise;
      if (answer.ok && answer.writes) hurry.begin();
      return answer;
    },
  };
  return Object.assign(new Haste(hurry), calls);
}

/** A getter of a class: one in a literal would keep each run until all of the heap is collected (ADR 81). */
class Haste {
  readonly #hurry: Hurry;

  constructor(hurry: Hurry) {
    this.#hurry = hurry;
  }

  get isHurried(): boolean {
    return this.#hurry.isOn;
  }
}

function clockNow(): ThreadClock {
  return { threadId, computedMs: threadCpuMs() };
}

function post(message: ThreadMessage): void {
  port.postMessage(message);
}
