/** Webs and workers as processes of their own, which are asked to end one after the other while the others work. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

export interface Member {
  readonly role: 'web' | 'worker';
  /** Of a web. */
  readonly port: number;
  /** SIGTERM; the exit code when it has gone. */
  end(): Promise<number | null>;
  /** SIGKILL, for the end of a run that failed. */
  kill(): void;
}

/** Resolves when it says that it is ready; rejects when it ends before. */
export async function startMember(
  role: 'web' | 'worker',
  environment: Record<string, string>,
): Promise<Member> {
  const child = spawn(process.execPath, [main, role], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', LOG_LEVEL: 'info', ...environment },
  });
  const ended = once(child, 'exit');
  const port = await Promise.race([untilReady(child, `${role} ready`), ended.then(() => null)]);
  if (port === null) throw new Error(`A ${role} ended at its start`);
  return {
    role,
    port,
    end: async () => {
      child.kill('SIGTERM');
      const [code] = (await ended) as [number | null];
      return code;
    },
    kill: () => child.kill('SIGKILL'),
  };
}

function untilReady(child: ChildProcess, message: string): Promise<number> {
  return new Promise((resolve) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
      if (!text.includes(message)) return;
      const { msg, port = 0 } = JSON.parse(text) as { msg: string; port?: number };
      if (msg === message) resolve(port);
    });
  });
}
