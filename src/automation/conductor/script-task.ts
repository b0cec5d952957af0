/** The messages between the main thread and a script thread; only text and numbers cross. */
import type { MessagePort } from 'node:worker_threads';
import type { HostAnswer, ScriptInput } from '../sandbox/sandbox-host.ts';
import type { ScriptLimits } from '../sandbox/script-limits.ts';
import type { Outcome, ScriptError, ScriptLog } from '../sandbox/script-result.ts';

/** The data that a thread gets when it starts. */
export interface ScriptThreadOptions {
  methods: readonly string[];
}

/** Runs of one job of one workspace, one after the other. */
export interface ScriptTask {
  taskId: number;
  runs: ScriptInput[];
  limits: ScriptLimits;
}

/** The value that a task resolves to; results have gone through the port by then. */
export type TaskOutcome = { ended: true } | { abandoned: true };

export interface SyntaxTask {
  taskId: number;
  source: string;
  limits: ScriptLimits;
}
export type SyntaxOutcome = ScriptError | null;

/** Sent once, when a thread starts: its own line to the host, for all tasks it will ever have. */
export interface ThreadHello {
  scriptPort: MessagePort;
}

/** The thread and the CPU time that it has used in its life, in milliseconds. */
export interface ThreadClock {
  threadId: number;
  computedMs: number;
}

/** Thread to host. Logs go at once, so that they outlive a thread that is killed. */
export type ThreadMessage =
  | { taskId: number; type: 'started'; clock: ThreadClock }
  | { taskId: number; type: 'log'; run: number; entry: ScriptLog }
  | {
      taskId: number;
      type: 'call';
      run: number;
      callId: number;
      method: string;
      argsJson: string;
      line: number | null;
    }
  | { taskId: number; type: 'ended'; run: number; outcome: Outcome; clock: ThreadClock };

/** Host to thread. An absent answer abandons the task. */
export interface HostMessage {
  callId: number;
  answer: HostAnswer | null;
}
