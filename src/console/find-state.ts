/** What the installation stands on, at this moment: whoever is called at night looks here first. */
import type { CheckResult, Readiness } from '../operations/readiness.ts';
import type { Queues } from '../queue/queues.ts';
import { type Html, html } from './write-page.ts';

export interface State {
  checks: Awaited<ReturnType<Readiness['look']>>;
  /** How many are connected to the queue; null where nobody can tell. */
  workers: number | null;
}

interface Looked {
  readiness: Pick<Readiness, 'look'>;
  queues: Pick<Queues, 'server' | 'byName'>;
  config: { QUEUE_PATIENCE_MS: number };
}

export async function findState({ readiness, queues, config }: Looked): Promise<State> {
  const [checks, workers] = await Promise.all([
    readiness.look(),
    countWorkers(queues, config.QUEUE_PATIENCE_MS),
  ]);
  return { checks, workers: checks.queue.status === 'ok' ? workers : null };
}

/** By their connections; a queue on PostgreSQL, and a Redis that tells of none, know nothing of them. */
async function countWorkers(queues: Looked['queues'], patienceMs: number): Promise<number | null> {
  if (queues.server.kind !== 'redis') return null;
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patienceMs);
  });
  const found = queues.byName.sync.getWorkers().then(
    (workers) => (workers.some(({ name }) => name?.startsWith('GCP ')) ? null : workers.length),
    () => null,
  );
  const count = await Promise.race([found, silence]);
  clearTimeout(timer);
  return count;
}

/** What is wrong, and what that means; where nothing is, one line that says so. */
export function stateNotices({ checks, workers }: State): Html {
  const { database, role, migrations, queue } = checks;
  const wrong = [
    ...complaint(database, 'PostgreSQL', 'Nothing can be read or written until it does.'),
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
      'What is sent is kept, and what a web does not do itself is done when Redis is back.',
    ),
    ...(workers === 0
      ? ['No worker is there. Batches, automations and webhooks wait: start one, npm run worker.']
      : []),
  ];
  if (wrong.length > 0) return html`${wrong.map((text) => html`<p class="notice" role="alert">${text}</p>`)}`;
  const count = workers === null ? '' : `; ${workers} ${workers === 1 ? 'worker is' : 'workers are'} there`;
  return html`<p class="muted">PostgreSQL and the queue answer${count}.</p>`;
}

function complaint({ status, message = '' }: CheckResult, what: string, then: string): string[] {
  return status === 'ok' ? [] : [`${what} ${message}. ${then}`];
}
