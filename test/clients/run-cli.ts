/** Runs the command line in this process, as the program does in its own. */
import { Readable, Writable } from 'node:stream';
import { Interrupted } from '../../clients/cli/exit-codes.ts';
import { run } from '../../clients/cli/run.ts';

export interface Ran {
  code: number;
  out: string;
  said: string;
}

export interface RunOptions {
  env: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  input?: string;
}

class Collected extends Writable {
  readonly #pieces: Buffer[] = [];

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString();
  }
}

export interface Running {
  ended: Promise<Ran>;
  /** What was printed for people so far. */
  said(): string;
  /** As Ctrl-C does. */
  interrupt(): void;
}

/** A run that can be watched and interrupted. */
export function startCli(args: readonly string[], { env, cwd, input = '' }: RunOptions): Running {
  const stdout = new Collected();
  const stderr = new Collected();
  const stdin = Readable.from([Buffer.from(input)]);
  const interruption = new AbortController();
  const code = run(args, { stdin, stdout, stderr }, env, cwd, interruption.signal);
  return {
    ended: code.then((value) => ({ code: value, out: stdout.text, said: stderr.text })),
    said: () => stderr.text,
    interrupt: () => interruption.abort(new Interrupted()),
  };
}

export function runCli(args: readonly string[], options: RunOptions): Promise<Ran> {
  return startCli(args, options).ended;
}
