/** Rolling restarts at length: see restart-in-turn.ts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../../src/config.ts';
import { admitLogin } from '../../../src/db/check-login.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { restartInTurn } from './restart-in-turn.ts';

const RESTARTS = Number(process.env.RESTARTS ?? 40);
const OPERATOR_TOKEN = 'operator-token-of-the-soak';

const dataDir = await mkdtemp(join(tmpdir(), 'partbook-restarts-'));
const log = pino({ level: 'warn' }, pino.destination(2));
const servers = await startEmbedded(readConfig({ DATA_DIR: dataDir, OPERATOR_TOKEN }), log);
try {
  if (servers.queue.kind !== 'redis') throw new Error('The soak needs a Redis');
  const ownerUrl = servers.migrationUrl ?? servers.databaseUrl;
  await migrate(ownerUrl, log);
  await admitLogin(ownerUrl, servers.databaseUrl);
  const { failed, lost, exits, answered, batches, adjusted, onHand } = await restartInTurn({
    environment: {
      DATABASE_URL: servers.databaseUrl,
      REDIS_URL: servers.queue.url,
      OPERATOR_TOKEN,
      RATE_LIMIT_REQUESTS: '10000000',
      // What is sent while no worker is there waits; it is not to be refused here.
      SYNC_MAX_QUEUED_BATCHES: '10000',
      SHUTDOWN_SECONDS: '60',
      DRAIN_SECONDS: '3',
    },
    restarts: RESTARTS,
    clients: 12,
    deadlineMs: 180_000,
  });
  console.log(
    `${RESTARTS} restarts: ${answered} calls answered, ${failed.length} failed; ` +
      `${batches.length} batches, ${lost.length} lost; ${adjusted} adjustments, ${onHand} on hand`,
  );
  for (const one of [...failed, ...lost, ...exits.map((code) => `a process ended with ${code}`)])
    console.error(one);
  if (failed.length + lost.length + exits.length > 0 || onHand !== String(adjusted)) process.exitCode = 1;
} finally {
  await servers.stop();
  await rm(dataDir, { recursive: true, force: true });
}
