/** Runs the command line in this process, as the program does in its own. */
import { Readable, Writable } from 'node:stream';
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

export async function runCli(args: readonly string[], { env, cwd, input = '' }: RunOptions): Promise<Ran> {
  const stdout = new Collected();
  const stderr = new Collected();
  const stdin = Readable.from([Buffer.from(input)]);
  const code = await run(args, { stdin, stdout, stderr }, env, cwd);
  return { code, out: stdout.text, said: stderr.text };
}
