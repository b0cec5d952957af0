/**
 * Sends what is dropped into a folder, each content once, whatever happens in between. It looks again and again, because shares
 * send no events. A file counts when it has not changed for a while. The key of the call follows from the content, the mapping
 * and how often the file was settled: a process that was killed before it could remember sends the same call again, and gets the
 * first answer.
 */

import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FileFault, placeText } from '../../readers/findings.ts';
import { matchesText } from '../../readers/match-numbers.ts';
import { fileSource } from '../../readers/node-file.ts';
import { wait } from '../../typescript/connect.ts';
import { ApiError, ConnectionError } from '../../typescript/errors.ts';
import type { SyncBatch, SyncResult } from '../../typescript/generated/types.ts';
import { outcomeText } from '../batch-words.ts';
import { countOf } from '../count-of.ts';
import { Ended, exitCodes } from '../exit-codes.ts';
import { chooseDefinition, type DefinitionFlags } from '../files/choose-definition.ts';
import { prepareMatched } from '../files/prepare-matched.ts';
import { tellFindings } from '../files/tell-findings.ts';
import type { Session } from '../session.ts';
import { readProject } from '../settings.ts';
import { here } from '../surroundings.ts';
import { putAway, writeBeside } from './put-away.ts';
import type { WatchState } from './watch-state.ts';

export interface WatchOptions extends DefinitionFlags {
  folder: string;
  /** How long a file must not have changed. */
  settleMs: number;
  everyMs: number;
  /** Whether files are moved to `done` and `failed`; on a share that can only be read they are not. */
  moves: boolean;
  /** Ends when nothing is left to do. */
  once: boolean;
  /** Whether files say the structure of their assemblies exactly. */
  exact: boolean;
}

interface Seen {
  size: number;
  mtimeMs: number;
  sinceMs: number;
}

const TRY_LATER_MS_MAX = 300_000;
const RESULTS_KEPT = 100_000;
const taken = /\.(?:csv|tsv|txt|xlsx|xlsm|xml|stp|step|p21|stpz|stpx|stpxz|json|ndjson|gz|zip)$/i;
const leftAlone = /^(?:[.~]|.*\.(?:part|tmp|crdownload|filepart)$)/i;

export async function watchFolder(session: Session, state: WatchState, options: WatchOptions): Promise<void> {
  const watcher = new FolderWatcher(session, state, options);
  await watcher.run();
}

class FolderWatcher {
  readonly #session: Session;
  readonly #state: WatchState;
  readonly #options: WatchOptions;
  readonly #seen = new Map<string, Seen>();
  #isAway = false;
  #failures = 0;
  /** Whether a file was not taken, or not all of it. */
  #isWanting = false;

  constructor(session: Session, state: WatchState, options: WatchOptions) {
    this.#session = session;
    this.#state = state;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal, output } = this.#session;
    const { everyMs, once } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      let pending: boolean;
      try {
        pending = await this.#look();
        this.#failures = 0;
      } catch (error) {
        if (!isPassing(error)) throw error;
        this.#failures += 1;
        pending = true;
        output.say(`${(error as Error).message} The file stays where it is and is tried again.`, 'yellow');
      }
      if (once && !pending) {
        if (this.#isWanting) throw new Ended(exitCodes.elementErrors);
        return;
      }
      const waitMs =
        this.#failures === 0
          ? everyMs
          : Math.min(TRY_LATER_MS_MAX, everyMs * 2 ** Math.min(10, this.#failures));
      await wait(waitMs, signal);
    }
  }

  /** One look at the folder; answers whether a file is still to be sent. */
  async #look(): Promise<boolean> {
    const names = await this.#names();
    if (names === null) return true;
    for (const name of this.#seen.keys()) if (!names.includes(name)) this.#seen.delete(name);
    let pending = false;
    for (const name of names) {
      this.#session.signal.throwIfAborted();
      const isSettled = await this.#isStill(name);
      if (isSettled === null) continue;
      if (isSettled) await this.#take(name);
      else pending = true;
    }
    return pending;
  }

  /** Null while the folder cannot be read: a share that is away keeps what is remembered of it. */
  async #names(): Promise<string[] | null> {
    const { folder } = this.#options;
    let entries: Dirent[];
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch (error) {
      if (!this.#isAway)
        this.#session.output.say(
          `${folder} cannot be read (${(error as NodeJS.ErrnoException).code}): waiting for it.`,
          'yellow',
        );
      this.#isAway = true;
      return null;
    }
    if (this.#isAway) this.#session.output.say(`${folder} is back.`);
    this.#isAway = false;
    return entries
      .filter((entry) => entry.isFile() && taken.test(entry.name) && !leftAlone.test(entry.name))
      .map(({ name }) => name)
      .toSorted();
  }

  /** Whether it has not changed for long enough; null where it was settled as it is, or has gone. */
  async #isStill(name: string): Promise<boolean | null> {
    const { folder, settleMs, moves } = this.#options;
    const stats = await lstat(join(folder, name)).catch(() => null);
    if (stats === null || !stats.isFile()) return null;
    const { size, mtimeMs } = stats;
    const settled = this.#state.find(name);
    if (settled?.size === size && settled.mtimeMs === mtimeMs) {
      // Settled and still here: the process ended before it could move it, or files stay.
      if (moves && settled.outcome !== 'refused')
        await putAway(folder, { outcome: settled.outcome, name, mark: settled.batchId ?? settled.sha256 });
      return null;
    }
    const seen = this.#seen.get(name);
    if (seen === undefined || seen.size !== size || seen.mtimeMs !== mtimeMs) {
      this.#seen.set(name, { size, mtimeMs, sinceMs: performance.now() });
      // A file that lies there for long already need not be waited for.
      return Date.now() - mtimeMs >= settleMs && settleMs === 0;
    }
    return performance.now() - seen.sinceMs >= settleMs;
  }

  async #take(name: string): Promise<void> {
    const { folder, moves } = this.#options;
    const path = join(folder, name);
    const before = await lstat(path).catch(() => null);
    if (before === null) return;
    const sha256 = await digestOf(path);
    const settled = this.#state.find(name);
    const file = { size: before.size, mtimeMs: before.mtimeMs, sha256 };
    if (!moves && settled?.sha256 === sha256) {
      // Touched, not changed.
      this.#state.settle(name, { ...file, outcome: settled.outcome, batchId: settled.batchId });
      return;
    }
    let settledAs: { outcome: 'done' | 'failed' | 'refused'; batchId: string | null };
    try {
      settledAs = await this.#send(name, sha256, settled?.times ?? 0);
    } catch (error) {
      settledAs = await this.#refuse(name, sha256, error);
    }
    if (settledAs.outcome !== 'done') this.#isWanting = true;
    const after = await lstat(path).catch(() => null);
    if (after === null || after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
      // It was written to meanwhile: what was sent is settled under its own content, and what stands there now counts anew.
      this.#seen.delete(name);
      return;
    }
    this.#state.settle(name, { ...file, ...settledAs });
    if (moves && settledAs.outcome !== 'refused')
      await putAway(folder, { outcome: settledAs.outcome, name, mark: settledAs.batchId ?? sha256 });
  }

  async #send(
    name: string,
    sha256: string,
    times: number,
  ): Promise<{ outcome: 'done' | 'failed'; batchId: string }> {
    const { partbook, output, signal } = this.#session;
    const { folder, exact } = this.#options;
    const source = { ...fileSource(join(folder, name)), name };
    const chosen = await chooseDefinition(source, this.#options, readProject(here().cwd), partbook);
    const { definition, profile, suggested } = chosen;
    // Nobody sits here who could look at a guess.
    if (suggested !== null) {
      throw new FileFault(
        'no_definition',
        'A table needs a definition: name one with --definition, or in partbook.json.',
      );
    }
    const prepared = await prepareMatched(source, definition, partbook, {
      signal,
      onMatches: async (numbers) => {
        output.say(`${name}: ${matchesText(numbers)}.`);
        if (definition.match === 'number') return true;
        throw new FileFault(
          'match_undecided',
          `It ${matchesText(numbers)}. Say in the definition whether they are the same parts: "match" is number or guid.`,
        );
      },
    });
    try {
      const { reading } = prepared;
      if (reading !== null) {
        tellFindings(output, name, reading.findings);
        if (reading.findings.errors > 0) {
          const [first] = reading.findings.kept.filter(({ severity }) => severity === 'error');
          throw new FileFault(
            'lines_unreadable',
            `${countOf(reading.findings.errors, 'line')} cannot be read, first: ${first?.message ?? ''}`,
            first?.place,
          );
        }
      }
      const told = ['watch', name, sha256, prepared.sha256, profile ?? '', String(times)];
      // Another call, whatever was sent before it.
      const seed = [...told, ...(exact ? ['exact'] : [])].join('\n');
      const idempotencyKey = `watch-${createHash('sha256').update(seed).digest('hex')}`;
      const batch = await prepared.send(partbook, { profile, exact, idempotencyKey, signal });
      const envelope = await batch.wait({ signal });
      const isDone = envelope.status === 'completed' && envelope.counts.error === 0;
      output.say(`${name}: ${outcomeText(envelope)}`, isDone ? 'green' : 'red');
      const results: SyncResult[] = [];
      for await (const result of batch.results(undefined, { signal })) {
        if (results.length === RESULTS_KEPT) break;
        results.push(result);
      }
      const outcome = isDone ? 'done' : 'failed';
      if (this.#options.moves)
        await writeBeside(
          folder,
          { outcome, name, mark: batch.id },
          { ...withoutResults(envelope), results },
        );
      return { outcome, batchId: batch.id };
    } finally {
      prepared.remove();
    }
  }

  /** A fault of the file waits for a change of the file; a fault of the key or the connection settles nothing. */
  async #refuse(
    name: string,
    sha256: string,
    error: unknown,
  ): Promise<{ outcome: 'refused' | 'failed'; batchId: null }> {
    const { output } = this.#session;
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) throw error;
    const isOfFile =
      error instanceof FileFault ||
      (error instanceof ApiError && error.status >= 400 && error.status < 500 && !isPassing(error));
    if (!isOfFile) throw error;
    const place = error instanceof FileFault ? placeText(name, error.place) : name;
    const { folder, moves } = this.#options;
    const after = moves ? 'it goes to "failed"' : 'it waits for a change';
    output.say(`${place}: ${error.message} Nothing was sent; ${after}.`, 'red');
    const said = { file: name, code: error.code, message: error.message };
    if (moves) await writeBeside(folder, { outcome: 'failed', name, mark: sha256 }, said);
    return { outcome: moves ? 'failed' : 'refused', batchId: null };
  }
}

function withoutResults({ results: _, ...envelope }: SyncBatch): Omit<SyncBatch, 'results'> {
  return envelope;
}

function isPassing(error: unknown): boolean {
  if (error instanceof Ended) return error.exitCode === exitCodes.tryLater;
  if (error instanceof ConnectionError) return true;
  return error instanceof ApiError && ([408, 425, 429].includes(error.status) || error.status >= 500);
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Uint8Array);
  return hash.digest('hex');
}
