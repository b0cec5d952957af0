// Whatever answers HTTP stands behind the same walls: a turn among all calls, a limit of rate, and an end for bodies that stay away.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { routes, unlistedRoutes } from '../../src/api.ts';
import { isOfWorkspace } from '../../src/http/route.ts';
import { startTestServer, type TestServer, type TestWorkspace } from '../setup/server.ts';

const AT_ONCE = 40;
const ID = '01900000-0000-7000-8000-000000000000';
let server: TestServer;
let workspace: TestWorkspace;
beforeAll(async () => {
  server = await startTestServer({
    environment: { BODY_TIMEOUT_SECONDS: '1', UPLOAD_RATE_WINDOW_SECONDS: '1' },
  });
  workspace = await server.createWorkspace();
});
afterAll(() => server.close());

interface Address {
  method: string;
  path: string;
  key: string;
  type: string;
  isOfWorkspace: boolean;
  waitsForNobody: boolean;
}

const operator = () => server.ctx.operatorToken;

/** Addresses of what is mounted beside the declared routes. */
const mounted = [
  'PUT /admin/queues/api/queues/sync/pause',
  'GET /admin/queues',
  'POST /admin/workspaces/acme/pause',
  'POST /admin/sign-in',
  'GET /admin',
  'GET /openapi.json',
  'GET /docs',
  'GET /',
  'POST /',
  'GET /no-such-page',
];

function addresses(): Address[] {
  const declared = [...routes, ...unlistedRoutes]
    .filter(({ access }) => access !== 'csvLink')
    .map((route) => ({
      method: route.method.toUpperCase(),
      path: route.path.replace('{slug}', workspace.slug).replaceAll(/\{\w+\}/g, ID),
      key: route.access === 'operator' ? operator() : workspace.key,
      type: Object.keys(route.rawBody ?? {})[0] ?? 'application/json',
      isOfWorkspace: isOfWorkspace(route),
      waitsForNobody: route.waitsForNobody === true,
    }));
  const others = mounted.map((address) => {
    const [method = '', path = ''] = address.split(' ');
    const type = path.startsWith('/admin/queues') ? 'application/json' : 'application/x-www-form-urlencoded';
    return { method, path, key: operator(), type, isOfWorkspace: false, waitsForNobody: false };
  });
  return [...declared, ...others];
}

/** Announces a body and sends no more than its first byte. */
async function sendPart({ method, path, key, type }: Address): Promise<IncomingMessage> {
  const asking = request(`${server.baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': type, 'Content-Length': '100' },
  });
  asking.write('{');
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  asking.on('error', () => {});
  asking.destroy();
  return answer;
}

test('every address answers although the body that was announced stays away, and counts the calls of a key', async () => {
  const left = addresses();
  const work = async () => {
    for (let address = left.pop(); address !== undefined; address = left.pop()) {
      const { statusCode, headers } = await sendPart(address);
      const named = `${address.method} ${address.path}`;
      // Pages say 503 where the web app is not built.
      expect([named, (statusCode ?? 500) !== 500]).toEqual([named, true]);
      if (address.isOfWorkspace) expect([named, headers.ratelimit]).toEqual([named, expect.any(String)]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
});

test('every address but the probes waits for its turn', async () => {
  for (const address of addresses()) {
    const running = vi.spyOn(server.ctx.callsInHand, 'run');
    const { method, path, key } = address;
    await server.request(path, { method, key, endless: true });
    const named = `${method} ${path}`;
    expect([named, running.mock.calls.length > 0]).toEqual([named, !address.waitsForNobody]);
    running.mockRestore();
  }
});
