// Webs and workers that are replaced one by one under load, as a deployment does it.
import { randomBytes } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { restartInTurn } from '../../bench/soak/restarts/restart-in-turn.ts';
import { createTestDatabase } from '../setup/database.ts';
import { serviceUrl } from '../setup/global.ts';
import { PATIENCE_MS } from '../setup/patience.ts';

const redisUrl = inject('redisUrl');

test.skipIf(redisUrl === null)(
  'a rolling restart of webs and workers fails no call and loses no batch',
  async () => {
    const database = await createTestDatabase();
    try {
      const outcome = await restartInTurn({
        environment: {
          DATABASE_URL: serviceUrl(database.pooledUrl),
          REDIS_URL: redisUrl as string,
          QUEUE_PREFIX: `t${randomBytes(6).toString('hex')}`,
          OPERATOR_TOKEN: 'operator-token-of-the-tests',
          RATE_LIMIT_REQUESTS: '1000000',
          // What is sent while no worker is there waits; it is not to be refused here.
          SYNC_MAX_QUEUED_BATCHES: '10000',
          SHUTDOWN_SECONDS: '120',
          // The balancer looks every 50 ms, on a busy machine less often.
          DRAIN_SECONDS: '3',
        },
        restarts: 4,
        clients: 4,
        deadlineMs: PATIENCE_MS,
      });
      const { failed, lost, exits, onHand, adjusted, answered } = outcome;
      expect({ failed, lost, exits }).toEqual({ failed: [], lost: [], exits: [] });
      expect(onHand).toBe(String(adjusted));
      expect(answered).toBeGreaterThan(100);
    } finally {
      await database.drop();
    }
  },
);
