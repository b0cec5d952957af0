/**
 * The command that turns the balancer when a workspace has moved. It is started before the workspace is stopped, because to start
 * takes longer than to turn, and is told the slug on its standard input when it is to turn.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { TransferError } from '../transfer-format.ts';

/** The workspace answers 503 until it has turned. */
const TURN_MS_MAX = 60_000;

export interface BalancerTurn {
  /** Throws where it has ended already: nobody would turn. */
  expectWaiting(): void;
  /** Resolves when it has turned. */
  tell(slug: string): Promise<void>;
  /** It is not to turn; of no effect when it has. */
  abandon(): void;
}

export function startTurn(command: string, turnMsMax = TURN_MS_MAX): BalancerTurn {
  // What it says goes where the move's own words go.
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 2, 2] });
  // It may end without having listened.
  child.stdin?.on('error', () => {});
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  ended.catch(() => {});
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    expectWaiting: () => {
      if (hasEnded())
        throw new TransferError(
          `MOVE_TURN_COMMAND ended with ${child.exitCode ?? child.signalCode} before it was told to turn.`,
        );
    },
    tell: async (slug) => {
      child.stdin?.end(`${slug}\n`);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, turnMsMax);
      const [code, signal] = await ended.finally(() => clearTimeout(timer));
      const what = isLate ? `had not turned after ${turnMsMax / 1000} s` : `ended with ${code ?? signal}`;
      if (code !== 0)
        throw new TransferError(
          `It is worked on there, and MOVE_TURN_COMMAND ${what}: mend that and move it again.`,
        );
    },
    // It reads the end of its input.
    abandon: () => child.stdin?.end(),
  };
}
