/** A web or a worker as a process of its own that is started again when it ends by itself, as whoever runs a service does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const START_AGAIN_MS = 250;

export interface ServiceRole {
  /** How often it has ended by itself. */
  ownEnds(): number;
  /** Lines of its log so far. */
  lines(): number;
  stop(): Promise<void>;
}

/** `logFile`: where its log goes; nobody keeps it without one. */
export function startRole(
  role: 'web' | 'worker',
  environment: Record<string, string>,
  logFile: string | undefined,
): ServiceRole {
  const output = logFile === undefined ? null : createWriteStream(logFile, { flags: 'a' });
  let [ownEnds, lines, isOver] = [0, 0, false];
  const start = (): ChildProcess => {
    const started = spawn(process.execPath, [main, role], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    });
    started.stdout?.on('data', (bytes: Buffer) => {
      for (const byte of bytes) if (byte === 0x0a) lines++;
      output?.write(bytes);
    });
    started.once('exit', () => {
      if (isOver) return;
      ownEnds++;
      setTimeout(() => {
        if (!isOver) child = start();
      }, START_AGAIN_MS);
    });
    return started;
  };
  let child = start();
  return {
    ownEnds: () => ownEnds,
    lines: () => lines,
    stop: async () => {
      isOver = true;
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        await gone;
      }
      output?.end();
    },
  };
}
