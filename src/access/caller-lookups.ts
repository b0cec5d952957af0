/**
 * Looks up who is behind keys and sessions of persons. Requests that arrive in one turn of the event loop are looked up by one statement, and
 * those that show the same key by one look-up. It is sent after the last of them has come, so that a revocation bites on
 * the next request as if each had asked by itself (contract §1.3); nothing is remembered.
 */
import type { Area, Permission } from '../areas.ts';
import type { Db } from '../db/connect.ts';
import type { RestingState } from '../db/resting.ts';
import { authenticationOf, type Shown } from './authenticate.sql.ts';

export interface KeyRow {
  key_id: string;
  key_workspace_id: string;
  key_name: string;
  permission: Permission;
  /** Areas of the key; null if the level gives them. */
  areas: Area[] | null;
  expired: boolean;
  revoked: boolean;
  wanted_workspace_id: string | null;
  wanted_workspace_name: string | null;
  wanted_state: 'active' | RestingState | null;
  wanted_moved_to: string | null;
  /** Whether the session of a person is to be prolonged. */
  is_stale?: boolean;
}

interface Asked {
  hash: Buffer;
  slug: string;
  found: PromiseWithResolvers<KeyRow | undefined>;
}

/** Keys looked up by one statement; more in the same turn use another one. */
const AT_ONCE = 500;

class CallerLookups {
  readonly #db: Db;
  readonly #shown: Shown;
  /** Look-ups by key and workspace that are sent at the end of the turn. */
  #gathering = new Map<string, Asked>();

  constructor(db: Db, shown: Shown) {
    this.#db = db;
    this.#shown = shown;
  }

  /** The key or session of that hash, with the workspace of that slug; undefined where there is none. */
  find(hash: Buffer, slug: string): Promise<KeyRow | undefined> {
    if (this.#gathering.size >= AT_ONCE) this.#send();
    const name = `${hash.toString('base64')} ${slug}`;
    const known = this.#gathering.get(name);
    if (known !== undefined) return known.found.promise;
    if (this.#gathering.size === 0) setImmediate(() => this.#send());
    const asked = { hash, slug, found: Promise.withResolvers<KeyRow | undefined>() };
    this.#gathering.set(name, asked);
    return asked.found.promise;
  }

  #send(): void {
    const asked = [...this.#gathering.values()];
    if (asked.length === 0) return;
    this.#gathering = new Map();
    const finding = this.#db.query<KeyRow & { place: string }>(authenticationOf[this.#shown], [
      asked.map(({ hash }) => hash),
      asked.map(({ slug }) => slug),
    ]);
    finding.then(
      (rows) => {
        const byPlace = new Map(rows.map((row) => [Number(row.place), row]));
        for (const [index, { found }] of asked.entries()) found.resolve(byPlace.get(index + 1));
      },
      (error: unknown) => {
        for (const { found } of asked) found.reject(error);
      },
    );
  }
}

const lookups = new WeakMap<Db, Record<Shown, CallerLookups>>();

/** Returns the look-ups of a connection to the database. */
export function lookupsOf(db: Db, shown: Shown = 'apiKey'): CallerLookups {
  let found = lookups.get(db);
  if (found === undefined) {
    found = { apiKey: new CallerLookups(db, 'apiKey'), member: new CallerLookups(db, 'member') };
    lookups.set(db, found);
  }
  return found[shown];
}
