// What calls leave behind is collected with the young generation (ADR 81): a web that promotes it collects all of its heap every few seconds.
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '../setup/database.ts';
import { serviceUrl } from '../setup/global.ts';
import { startService } from './service-process.ts';

const redisUrl = inject('redisUrl');
const OPERATOR_TOKEN = 'operator-token-of-the-tests';
const CALLERS = 8;
const CALLS = 400;
/** With one of the three causes it was 0.07 to 0.19; what eight calls hold while they are under way is 0.02. */
const SURVIVING_MAX = 0.05;

test.skipIf(redisUrl === null)(
  'little of what calls allocate outlives a collection of the young generation',
  async () => {
    const database = await createTestDatabase();
    const environment = {
      DATABASE_URL: serviceUrl(database.pooledUrl),
      REDIS_URL: redisUrl as string,
      QUEUE_PREFIX: `t${randomBytes(6).toString('hex')}`,
      OPERATOR_TOKEN,
      RATE_LIMIT_REQUESTS: '1000000',
      LOG_LEVEL: 'info',
    };
    // As the scripts of package.json start it.
    const flags = ['--v8-pool-size=0', '--max-semi-space-size=16', '--trace-gc-nvp'];
    const service = startService('web', environment, flags);
    const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
    try {
      const { port } = await service.logged('web ready');
      const call = callOf(agent, port as number);
      const { apiKey } = await call<{ apiKey: { key: string } }>('POST', '/api/workspaces', OPERATOR_TOKEN, {
        slug: 'young',
        name: 'Young',
      });
      const { key } = apiKey;
      const made = async (category: string) =>
        (await call<{ id: string }>('POST', '/api/wid/young/entities', key, { category, name: 'One' })).id;
      const [itemEntityId, locationEntityId] = [await made('part'), await made('location')];
      const line = { itemEntityId, locationEntityId, quantity: 1 };
      await Promise.all(
        Array.from({ length: CALLERS }, async () => {
          for (let calls = 0; calls < CALLS; calls++) {
            await call('GET', `/api/wid/young/entities/${itemEntityId}`, key);
            await call('GET', `/api/wid/young/entities/${locationEntityId}`, key);
            if (calls % 4 === 0) await call('POST', '/api/wid/young/stock/adjustments', key, line);
            if (calls % 16 === 0)
              await call('POST', '/api/wid/young/orders', key, {
                type: 'purchaseOrder',
                lines: [line, line],
              });
          }
        }),
      );
      const shares = Array.from(service.written().matchAll(/gc=s .*/g), ([collection]) => {
        const figure = (name: string) => Number(new RegExp(` ${name}=(\\d+)`).exec(collection)?.[1]);
        return figure('new_space_survived') / figure('allocated');
      });
      // What is loaded at the start stays; the calls are what came last.
      expect(shares.length).toBeGreaterThan(20);
      const last = shares.slice(-12).toSorted((a, b) => a - b);
      expect(last[6], `of the last collections ${last.join(', ')}`).toBeLessThan(SURVIVING_MAX);
    } finally {
      agent.destroy();
      service.signal('SIGTERM');
      await service.ended();
      await database.drop();
    }
  },
);

function callOf(agent: Agent, port: number) {
  return <T>(method: string, path: string, token: string, body?: unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        Authorization: `Bearer ${token}`,
        ...(body === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
      };
      const asked = request({ agent, port, host: '127.0.0.1', method, path, headers }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('error', reject);
        answer.on('end', () => {
          const answered = Buffer.concat(pieces).toString();
          if ((answer.statusCode ?? 500) >= 300) reject(new Error(`${method} ${path}: ${answered}`));
          else resolve(JSON.parse(answered) as T);
        });
      });
      asked.on('error', reject);
      asked.end(text);
    });
}
