/**
 * Reads what a caller asks for in the very burst of statements that looks the caller up, together with whoever else of
 * the workspace asks in that turn of the event loop: one round trip in place of two, and one transaction for all of them.
 *
 * Whose workspace it is must be known before the look-up answers. It is expected: what a key opened last, it opens again
 * nearly always. An expectation opens nothing. What was read by it is handed out only where the look-up, which was made
 * after the request had come, says the same; else it is thrown away.
 */
import type { Db } from '../db/connect.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Caller } from '../http/callers.ts';
import { authenticationOf, type Shown } from './authenticate.sql.ts';
import type { KeyRow } from './caller-lookups.ts';

/** A caller as it was last; what it showed is not kept. */
export type ExpectedCaller = Omit<Caller, 'credential'>;

/** Callers that are remembered; beyond it those that have been for longest are forgotten. */
const EXPECTED_MAX = 10_000;
/** Reads of one burst; those of a turn beyond it have another. */
const AT_ONCE = 100;

/** Result of reading in the burst of the look-up. */
export interface ReadAsCaller<T> {
  /** The result of the look-up. */
  row: Promise<KeyRow | undefined>;
  value: Promise<T>;
}

interface Asked {
  hash: Buffer;
  slug: string;
  row: PromiseWithResolvers<KeyRow | undefined>;
  read(tx: Tx): Promise<void>;
  fail(error: unknown): void;
}

export class CallerReads {
  readonly #db: Db;
  /** Expected callers, by the hash of what they show and slug. */
  readonly #expected = new Map<string, ExpectedCaller>();
  /** Reads by kind of caller and workspace that are sent at the end of the turn. */
  #gathering = new Map<string, Asked[]>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Returns the caller to expect, if it is the same as the last time. */
  expect(hash: Buffer, slug: string): ExpectedCaller | null {
    return this.#expected.get(nameOf(hash, slug)) ?? null;
  }

  /** Remembers callers that a key or the session of a person has authenticated. */
  note(hash: Buffer, { credential: _, ...caller }: Caller): void {
    // Sessions of keys are not looked up by their hash alone.
    if (caller.isSession && caller.actor.type !== 'member') return;
    const name = nameOf(hash, caller.workspace.slug);
    const known = this.#expected.get(name);
    if (known !== undefined && isAsExpected(known, caller)) return;
    this.#expected.delete(name);
    this.#expected.set(name, caller);
    if (this.#expected.size <= EXPECTED_MAX) return;
    for (const oldest of this.#expected.keys()) {
      this.#expected.delete(oldest);
      break;
    }
  }

  /** It was somebody else, or nobody, this time. */
  forget(hash: Buffer, slug: string): void {
    this.#expected.delete(nameOf(hash, slug));
  }

  /** Looks the key up and does the work, which only reads, in the workspace that is expected. */
  read<T>(
    { workspace: { id: workspaceId, slug }, actor }: ExpectedCaller,
    hash: Buffer,
    work: (tx: Tx) => Promise<T>,
  ): ReadAsCaller<T> {
    const value = Promise.withResolvers<T>();
    const row = Promise.withResolvers<KeyRow | undefined>();
    // A caller who is refused does not get the rows.
    value.promise.catch(() => {});
    row.promise.catch(() => {});
    const asked: Asked = {
      hash,
      slug,
      row,
      read: async (tx) => {
        try {
          value.resolve(await work(tx));
        } catch (error) {
          value.reject(error);
        }
      },
      fail: (error) => {
        row.reject(error);
        value.reject(error);
      },
    };
    const shown = actor.type === 'member' ? 'member' : 'apiKey';
    const burst = `${shown} ${workspaceId}`;
    const others = this.#gathering.get(burst);
    if (others !== undefined && others.length < AT_ONCE) others.push(asked);
    else {
      const together = [asked];
      this.#gathering.set(burst, together);
      setImmediate(() => {
        if (this.#gathering.get(burst) === together) this.#gathering.delete(burst);
        void this.#send(workspaceId, shown, together);
      });
    }
    return { row: row.promise, value: value.promise };
  }

  async #send(workspaceId: string, kind: Shown, together: readonly Asked[]): Promise<void> {
    try {
      await inTransaction(
        this.#db,
        { workspaceId },
        async (tx) => {
          const callers = new Map<string, Asked[]>();
          for (const one of together) {
            const name = nameOf(one.hash, one.slug);
            const same = callers.get(name);
            if (same === undefined) callers.set(name, [one]);
            else same.push(one);
          }
          const shown = [...callers.values()];
          const finding = tx.queryPrepared<KeyRow & { place: string }>(authenticationOf[kind], [
            shown.map(([one]) => (one as Asked).hash),
            shown.map(([one]) => (one as Asked).slug),
          ]);
          // Called for in the same turn, so that their first statements go out with the look-up and behind it.
          const reading = together.map((one) => one.read(tx));
          const rows = await finding;
          const byPlace = new Map(rows.map((row) => [Number(row.place), row]));
          for (const [index, same] of shown.entries())
            for (const { row } of same) row.resolve(byPlace.get(index + 1));
          await Promise.all(reading);
        },
        { glance: true, keepsPlans: true },
      );
    } catch (error) {
      for (const one of together) one.fail(error);
    }
  }
}

function nameOf(hash: Buffer, slug: string): string {
  return `${hash.toString('latin1')} ${slug}`;
}

/** Whether what was read for the one may be handed to the other. */
export function isAsExpected(expected: ExpectedCaller, caller: ExpectedCaller): boolean {
  return (
    expected.isSession === caller.isSession &&
    expected.actor.id === caller.actor.id &&
    expected.actor.type === caller.actor.type &&
    expected.actor.name === caller.actor.name &&
    expected.areas.join() === caller.areas.join() &&
    expected.workspace.id === caller.workspace.id &&
    expected.workspace.slug === caller.workspace.slug &&
    expected.workspace.name === caller.workspace.name
  );
}
