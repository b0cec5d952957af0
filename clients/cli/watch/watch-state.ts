/**
 * What a watched folder remembers: which content of which file has been settled, and how often. Replaced as a whole by rename
 * after each file, so that a crash leaves either the old one or the new one.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export interface SettledFile {
  size: number;
  mtimeMs: number;
  /** The digest of the file. */
  sha256: string;
  outcome: 'done' | 'failed' | 'refused';
  batchId: string | null;
  at: string;
  /** How often the file of that name was settled: tells the same content that comes again from a call that is repeated. */
  times: number;
}

/** Longer than the service keeps the answers to repeated calls: what is forgotten cannot be mistaken for a repetition. */
const KEPT_MS = 30 * 24 * 3600 * 1000;

export class WatchState {
  readonly #path: string;
  readonly #files: Map<string, SettledFile>;

  private constructor(path: string, files: Map<string, SettledFile>) {
    this.#path = path;
    this.#files = files;
  }

  static open(path: string): WatchState {
    let text = '{}';
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const { files = {} } = JSON.parse(text) as { files?: Record<string, SettledFile> };
    return new WatchState(path, new Map(Object.entries(files)));
  }

  find(name: string): SettledFile | undefined {
    return this.#files.get(name);
  }

  /** On disk when this returns. */
  settle(name: string, file: Omit<SettledFile, 'times' | 'at'>, now = new Date()): void {
    const times = (this.#files.get(name)?.times ?? 0) + 1;
    this.#files.set(name, { ...file, times, at: now.toISOString() });
    for (const [other, { at }] of this.#files) {
      if (now.getTime() - Date.parse(at) > KEPT_MS) this.#files.delete(other);
    }
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const beside = `${this.#path}.${process.pid}`;
    writeFileSync(beside, JSON.stringify({ files: Object.fromEntries(this.#files) }));
    const written = openSync(beside, 'r');
    fsyncSync(written);
    closeSync(written);
    renameSync(beside, this.#path);
  }
}

/** Not in the folder itself, which may be a share that can only be read. */
export function statePath(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
  url: string,
  workspace: string,
): string {
  const base = environment.XDG_STATE_HOME || join(environment.HOME || homedir(), '.local', 'state');
  const name = createHash('sha256')
    .update(`${resolve(folder)}\n${url}\n${workspace}`)
    .digest('hex')
    .slice(0, 24);
  return join(base, 'partbook', `watch-${name}.json`);
}
