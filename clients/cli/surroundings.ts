/**
 * The surroundings of one run of the command line: streams, environment and folder. They are the process's own, or those that a
 * caller of `run` passes, so that several runs can share a process.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';

export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean };
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Surroundings extends Io {
  env: Environment;
  /** The folder that relative paths start from. */
  cwd: string;
  /** Ends the run, as Ctrl-C does; without one only the process can be interrupted. */
  signal?: AbortSignal | undefined;
}

const storage = new AsyncLocalStorage<Surroundings>();

/** The surroundings of the run that calls. */
export function here(): Surroundings {
  const { stdin, stdout, stderr, env } = process;
  return storage.getStore() ?? { stdin, stdout, stderr, env, cwd: process.cwd() };
}

export function within<Answer>(surroundings: Surroundings, act: () => Promise<Answer>): Promise<Answer> {
  return storage.run(surroundings, act);
}

/** A path as the caller of this run means it. */
export function pathHere(path: string): string {
  return resolve(here().cwd, path);
}
