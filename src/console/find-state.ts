/** State of the servers that the installation depends on, which an operator looks at first. */
import type { CheckResult, Readiness } from '../operations/readiness.ts';
import type { Queues } from '../queue/queues.ts';
import { table } from './page-parts.ts';
import { type Html, html } from './write-page.ts';

export interface State {
  checks: Awaited<ReturnType<Readiness['look']>>;
  /** How many are connected to the queue; null where nobody can tell. */
  workers: number | null;
  /** Queues that somebody has paused on the page of the queues, by their names. */
  paused: readonly string[];
  /** Content of the queues; null if it was not requested or is unknown. */
  jobs: readonly QueueJobs[] | null;
  /** When PostgreSQL was last seen to answer. */
  databaseSeenAt: Date | null;
  /** When PostgreSQL refused to write for want of room, where that is not long ago. */
  roomMissedAt: Date | null;
  /** So long the queue may lack what waits once it is back. */
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

/** `isSilent`: PostgreSQL said nothing just now, whatever a look that trusts its last answer finds; what the queue knows is told then. */
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

/** Small writes may find a place while large ones do not, so that one that went well says nothing: it is told for a while. */
const ROOM_MISSED_MINUTES = 5;

function recent(at: Date | null): Date | null {
  return at !== null && Date.now() - at.getTime() < ROOM_MISSED_MINUTES * 60_000 ? at : null;
}

/** Nothing of a queue that PostgreSQL keeps, which is as silent. */
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
      `${databaseSeenAt === null ? '' : `It was last seen to answer at ${clock(databaseSeenAt)}. `}Nothing can be read or written until it does; what was acknowledged is kept.`,
    ),
    ...(roomMissedAt === null
      ? []
      : [
          `PostgreSQL refused to write at ${clock(roomMissedAt)}: there was no room on its disk. Reads are answered, and what was acknowledged is kept. Make room on its volume; writes go on by themselves then, and nothing needs a restart. This stands here for ${ROOM_MISSED_MINUTES} minutes after the last refusal.`,
        ]),
    // What hangs on the database is not told a second time.
    ...(database.status === 'failed'
      ? []
      : [
          ...complaint(
            role,
            'The role in PostgreSQL',
            'Restart the web; its log says why it does not start.',
          ),
          ...complaint(migrations, 'Migrations of the schema', 'Run npm run migrate.'),
        ]),
    ...complaint(
      queue,
      'Redis',
      `What is sent is kept. What a web does not do itself is begun within ${HEALING_ROUNDS * healSeconds} seconds of its return, without anybody.`,
    ),
    ...(workers === 0
      ? ['No worker is there. Batches, automations and webhooks wait: start one, npm run worker.']
      : []),
    ...(paused.length > 0
      ? [
          `The ${paused.length === 1 ? 'queue' : 'queues'} ${inWords(paused)} ${paused.length === 1 ? 'is' : 'are'} paused, for all workspaces: somebody did it under Queues. What is in line waits until it is resumed there.`,
        ]
      : []),
  ];
  const count =
    workers === null || workers === 0
      ? ''
      : `; ${workers} ${workers === 1 ? 'worker is' : 'workers are'} there`;
  if (wrong.length > 0)
    return html`${wrong.map((text) => html`<p class="notice" role="alert">${text}</p>`)}
${
  jobs === null
    ? null
    : html`<p>Redis answers${count}. Its queues, as they are now:</p>${table(
        ['Queue', 'Wait', 'Under way'],
        jobs.map(({ name, waiting, active }) => [name, waiting, active]),
        '',
      )}`
}`;
  return html`<p class="muted">PostgreSQL and the queue answer${count}.</p>`;
}

/** Rounds of healing after which waiting work is reported; at the first it may have waited for less. */
const HEALING_ROUNDS = 2;

const clock = (at: Date) => `${at.toISOString().slice(11, 19)} UTC`;

const inWords = (names: readonly string[]) => new Intl.ListFormat('en').format(names);

function complaint({ status, message = '' }: CheckResult, what: string, then: string): string[] {
  return status === 'ok' ? [] : [`${what} ${message}. ${then}`];
}
