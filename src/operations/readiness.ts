/**
 * Whether the process can do its work, told at once: a balancer takes whoever does not say so in time for dead. Whoever asks while
 * a server behind is being asked shares that answer, so that no number of questions is many for it. One that is slow is not away:
 * as long as the last good answer is young, waiting for the next is no reason to send everybody elsewhere, where it is as slow.
 */
import { checkRoleInForce } from '../db/check-login.ts';
import type { Db } from '../db/connect.ts';
import { isServerAway } from '../db/server-away.ts';
import { ShareError } from '../fairness/fair-share.ts';
import type { Queues } from '../queue/queues.ts';
import { SchemaCheck } from './schema-check.ts';

export interface CheckResult {
  status: 'ok' | 'failed';
  ms: number;
  message?: string;
}

interface Watched {
  /** Rejects with what is wrong. */
  work(): Promise<unknown>;
  /** Message without details of the installation. */
  complaint: string;
  /** Message if nobody could be asked. */
  unasked: string;
  patienceMs: number;
  /** How long a good answer is valid while the next one is awaited. */
  trustedMs: number;
}

interface ReadinessOptions {
  db: Db;
  queues: Pick<Queues, 'byName'>;
  config: { DATABASE_ANSWER_SECONDS: number; QUEUE_PATIENCE_MS: number };
}

/** Value of a role or migrations that cannot be looked up, which is not an error. */
const NOT_KNOWN = 'not known';

/** Balancers wait a second or two for an answer. */
const PATIENCE_MS = 700;

export class Readiness {
  readonly #checks: Record<'database' | 'role' | 'migrations' | 'queue', WatchedCheck>;
  readonly #db: Db;
  /** When PostgreSQL last refused a call of this process for want of room on its disk. */
  roomMissedAt: Date | null = null;

  constructor({ db, queues, config }: ReadinessOptions) {
    this.#db = db;
    const schema = new SchemaCheck(db);
    const ofDatabase = { patienceMs: PATIENCE_MS, trustedMs: config.DATABASE_ANSWER_SECONDS * 1000 };
    this.#checks = {
      database: new WatchedCheck({
        ...ofDatabase,
        complaint: 'does not answer, or takes no writes',
        unasked: 'does not answer, or takes no writes',
        work: () => requireWritable(db),
      }),
      role: new WatchedCheck({
        ...ofDatabase,
        complaint: 'is not the one that row-level security is made for',
        unasked: NOT_KNOWN,
        work: () => checkRoleInForce(db),
      }),
      migrations: new WatchedCheck({
        ...ofDatabase,
        complaint: 'are pending',
        unasked: NOT_KNOWN,
        work: () => schema.require(),
      }),
      queue: new WatchedCheck({
        complaint: 'does not answer',
        unasked: 'does not answer',
        patienceMs: config.QUEUE_PATIENCE_MS,
        trustedMs: 0,
        work: () => Promise.all(Object.values(queues.byName).map((queue) => queue.getJobCounts('waiting'))),
      }),
    };
  }

  async look(): Promise<Record<'database' | 'role' | 'migrations' | 'queue', CheckResult>> {
    const { database, role, migrations, queue } = this.#checks;
    const found = await Promise.all([database.look(), role.look(), migrations.look(), queue.look()]);
    const behind = (check: CheckResult): CheckResult =>
      found[0].status === 'ok' || check.status === 'ok' ? check : { ...check, message: NOT_KNOWN };
    return { database: found[0], role: behind(found[1]), migrations: behind(found[2]), queue: found[3] };
  }

  /**
   * Whether PostgreSQL says anything just now, however good its last answer was: to whoever asks here, or to anybody else, since all
   * connections may be taken, and the one that asks may be lost.
   */
  async databaseAnswers(patienceMs: number): Promise<boolean> {
    const askedAt = performance.now();
    return (await this.#checks.database.answers(patienceMs)) || this.#db.heardAt() > askedAt;
  }

  /** When PostgreSQL was last seen to answer. */
  get databaseSeenAt(): Date | null {
    return this.#checks.database.seenAt;
  }
}

/** `unasked`: the server was away, or had no connection left for this one. */
type Found = 'ok' | 'failed' | 'busy' | 'unasked';

class WatchedCheck {
  readonly #watched: Watched;
  #running: Promise<Found> | null = null;
  #goodAt: number | null = null;
  seenAt: Date | null = null;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  async look(): Promise<CheckResult> {
    const { complaint, unasked, patienceMs, trustedMs } = this.#watched;
    const startedAt = performance.now();
    const found = await this.#within(patienceMs);
    const now = performance.now();
    const isGood =
      found === 'ok' || (found === 'busy' && this.#goodAt !== null && now - this.#goodAt < trustedMs);
    const ms = Math.round(now - startedAt);
    if (isGood) return { status: 'ok', ms };
    return { status: 'failed', ms, message: found === 'failed' ? complaint : unasked };
  }

  async answers(patienceMs: number): Promise<boolean> {
    return (await this.#within(patienceMs)) === 'ok';
  }

  async #within(patienceMs: number): Promise<Found> {
    this.#running ??= this.#run();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<'busy'>((resolve) => {
      timer = setTimeout(() => resolve('busy'), patienceMs);
    });
    const found = await Promise.race([this.#running, patience]);
    clearTimeout(timer);
    return found;
  }

  async #run(): Promise<Found> {
    try {
      await this.#watched.work();
      this.#goodAt = performance.now();
      this.seenAt = new Date();
      return 'ok';
    } catch (error) {
      // No connection came free: the others of this process have them all.
      if (error instanceof ShareError) return 'busy';
      this.#goodAt = null;
      return isServerAway(error) ? 'unasked' : 'failed';
    } finally {
      this.#running = null;
    }
  }
}

/** A standby, and a primary that has become one, answers and takes nothing. */
async function requireWritable(db: Db): Promise<void> {
  const [row] = await db.query<{ read_only: string }>(
    `select current_setting('transaction_read_only') as read_only`,
  );
  if (row?.read_only !== 'off') throw new Error('read-only');
}
