// A queue server that cannot be reached: the log names the setting and the server.
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { openQueues } from '../../src/queue/queues.ts';
import { patience } from '../setup/patience.ts';

test('a Redis that refuses the connection is named with its setting, without the password', async () => {
  const written = new PassThrough({ encoding: 'utf8' });
  let log = '';
  written.on('data', (text: string) => {
    log += text;
  });
  const queues = openQueues(
    { kind: 'redis', url: 'redis://:secret@127.0.0.1:1', prefix: 'partbook' },
    pino(written),
  );
  await vi.waitUntil(() => log.includes('REDIS_URL: connection refused by 127.0.0.1:1'), patience);
  expect(log).not.toContain('secret');
  await queues.close();
});
