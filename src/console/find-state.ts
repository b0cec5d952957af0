/** State of PostgreSQL, the queue and the workers, which the console shows first. */
import type { CheckResult, Readiness } from '../operations/readiness.ts';
import type { Queues } from '../queue/queues.ts';
import { table } from './page-parts.ts';
import { type Html, html } from './write-page.ts';

export interface State {
  checks: Awaited<ReturnType<Readiness['look']>>;
  /** Connected workers; null if it is not known. */
  workers: number | null;
  /** Names of queues that were paused on the page of the queues. */
  paused: readonly string[];
  /** Content of the queues; null if it was not requested or is unknown. */
  jobs: readonly QueueJobs[] | null;
  /** When PostgreSQL last responded. */
  databaseSeenAt: Date | null;
  /** When PostgreSQL recently refused to write because its disk was full. */
  roomMissedAt: Date | null;
  /** Seconds after which healing announces waiting work again. */
  healSeconds: number;
}

interface QueueJobs {
  name: string;
  waiting: number;
  active: number;
}

interface Looked {
  readiness: Pick<Readiness, 'look' | 'databaseSeenAt' | 'roomMissedAt'>;
  queues: Pick<Queues, 'server' | 'byName'>;
  config: { QUEUE_PATIENCE_MS: number; SYNC_HEAL_SECONDS: number };
}

/** `isSilent`: PostgreSQL has just not responded, even if a recent check succeeded. Then the content of the queues is read as well. */
export async function findState({ readiness, queues, config }: Looked, isSilent = false): Promise<State> {
  const { QUEUE_PATIENCE_MS: patienceMs } = config;
  const [looked, workers, paused, jobs] = await Promise.all([
    readiness.look(),
    within(patienceMs, countWorkers(queues)),
    within(patienceMs, findPaused(queues)),
    isSilent ? within(patienceMs, countJobs(queues)) : null,
  ]);
  const silent: CheckResult = { status: 'failed', ms: looked.database.ms, message: 'does not answer' };
  const checks = isSilent && looked.database.status === 'ok' ? { ...looked, database: silent } : looked;
  const answers = checks.queue.status === 'ok';
  return {
    checks,
    workers: answers ? workers : null,
    paused: (answers ? paused : null) ?? [],
    jobs: answers ? jobs : null,
    databaseSeenAt: readiness.databaseSeenAt,
    roomMissedAt: recent(readiness.roomMissedAt),
    healSeconds: config.SYNC_HEAL_SECONDS,
  };
}

/** Small writes may succeed on a full disk while large ones fail, so the notice stays for a while. */
const ROOM_MISSED_MINUTES = 5;

function recent(at: Date | null): Date | null {
  return at !== null && Date.now() - at.getTime() < ROOM_MISSED_MINUTES * 60_000 ? at : null;
}

/** Returns null for queues in PostgreSQL. */
async function countJobs({ server, byName }: Looked['queues']): Promise<QueueJobs[] | null> {
  if (server.kind !== 'redis') return null;
  return Promise.all(
    Object.entries(byName).map(async ([name, queue]) => {
      const { waiting = 0, active = 0 } = await queue.getJobCounts('waiting', 'active');
      return { name, waiting, active };
    }),
  );
}

/**
 * Counts workers by their connections; a queue on PostgreSQL, and a Redis that does not list connections, cannot
 * tell.
 */
async function countWorkers(queues: Looked['queues']): Promise<number | null> {
  if (queues.server.kind !== 'redis') return null;
  const workers = await queues.byName.sync.getWorkers();
  return workers.some(({ name }) => name?.startsWith('GCP ')) ? null : workers.length;
}

async function findPaused({ byName }: Looked['queues']): Promise<string[]> {
  const paused = await Promise.all(
    Object.entries(byName).map(async ([name, queue]) => ((await queue.isPaused()) ? [name] : [])),
  );
  return paused.flat();
}

/** Returns null if the queue does not answer in time, or cannot. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  const answered = await Promise.race([answer.catch(() => null), silence]);
  clearTimeout(timer);
  return answered;
}

/** Returns notices of what is wrong and what it means, or one line that nothing is. */
export function stateNotices({
  checks,
  workers,
  paused,
  jobs,
  databaseSeenAt,
  roomMissedAt,
  healSeconds,
}: State): Html {
  const { database, role, migrations, queue } = checks;
  const wrong = [
    ...complaint(
      database,
      'PostgreSQL',
      `${databaseSeenAt === null ? '' : `It last responded at ${clock(databaseSeenAt)}. `}Until it responds, nothing can be read or written. Acknowledged data is safe.`,
    ),
    ...(roomMissedAt === null
      ? []
      : [
          `PostgreSQL refused to write at ${clock(roomMissedAt)} because its disk was full. Reads work, and acknowledged data is safe. Free space on its volume; writes then continue without a restart. This notice disappears ${ROOM_MISSED_MINUTES} minutes after the last refusal.`,
        ]),
    // The other checks need the database.
    ...(database.status === 'failed'
      ? []
      : [
          ...complaint(
            role,
            'The role in PostgreSQL',
            'Restart the web process. Its log says why it does not start.',
          ),
          ...complaint(migrations, 'Migrations of the schema', 'Run npm run migrate.'),
        ]),
    ...complaint(
      queue,
      'Redis',
      `New imports are accepted and stored. Waiting work starts automatically within ${HEALING_ROUNDS * healSeconds} seconds after Redis is back.`,
    ),
    ...(workers === 0
      ? ['No worker is connected. Imports, automations and webhooks wait. Start one with npm run worker.']
      : []),
    ...(paused.length > 0
      ? [
          `The ${paused.length === 1 ? 'queue' : 'queues'} ${inWords(paused)} ${paused.length === 1 ? 'is' : 'are'} paused for all workspaces under Queues. Jobs wait until you resume ${paused.length === 1 ? 'it' : 'them'} there.`,
        ]
      : []),
  ];
  const count =
    workers === null || workers === 0
      ? ''
      : `; ${workers} ${workers === 1 ? 'worker is' : 'workers are'} connected`;
  if (wrong.length > 0)
    return html`${wrong.map((text) => html`<p class="notice" role="alert">${text}</p>`)}
${
  jobs === null
    ? null
    : html`<p>Redis responds${count}. Its queues:</p>${table(
        ['Queue', 'Waiting', 'Active'],
        jobs.map(({ name, waiting, active }) => [name, waiting, active]),
        '',
      )}`
}`;
  return html`<p class="muted">PostgreSQL and the queue respond${count}.</p>`;
}

/** In the first round of healing, work may not have waited long enough to be announced. */
const HEALING_ROUNDS = 2;

const clock = (at: Date) => `${at.toISOString().slice(11, 19)} UTC`;

const inWords = (names: readonly string[]) => new Intl.ListFormat('en').format(names);

function complaint({ status, message = '' }: CheckResult, what: string, then: string): string[] {
  return status === 'ok' ? [] : [`${what} ${message}. ${then}`];
}
