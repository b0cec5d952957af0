// Where webhooks may go: nowhere that only this service can reach, however the address is written or resolved.
import { createSocket } from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FairShare } from '../../src/fairness/fair-share.ts';
import { postMessage } from '../../src/webhooks/post-message.ts';
import { isPublicAddress } from '../../src/webhooks/public-address.ts';
import { nameResolver } from '../../src/webhooks/resolve-name.ts';
import { retryDelay } from '../../src/webhooks/retry-delay.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'not an address',
  '',
])('%s is refused', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '8.8.8.8',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
])('%s is let through', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://localhost:8080/',
  'http://LOCALHOST./',
  'http://metadata.google.internal/',
  'http://printer.local/',
  'http://postgres:5432/',
  'https://169.254.169.254/latest/meta-data',
])('a webhook to %s is refused when it is made', async (url) => {
  const answer = await workspace.ask('POST', '/webhooks', { url, events: ['entity.created'] });
  expect([answer.status, answer.body.code]).toEqual([422, 'target_refused']);
  // As the operator who may allow it writes it.
  expect(answer.body.detail).toContain('WEBHOOK_ALLOW_PRIVATE=true');
});

test.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'https://user:pass@example.com/',
  'nonsense',
  'https://',
  'http://example.com:0/',
  'http://example.com:00/',
  'HTTPS://example.com:0',
  `https://example.com/${'ü'.repeat(1500)}`,
])('a webhook to %s is not an address at all', async (url) => {
  const answer = await workspace.ask('POST', '/webhooks', { url, events: ['entity.created'] });
  expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
  // One fault, and nothing of what would be wrong with an address.
  expect(answer.body.errors).toHaveLength(1);
});

test.each([
  ['HTTPS://Example.COM', 'https://example.com/'],
  ['HtTp://example.com:80/A b', 'http://example.com/A%20b'],
  ['https://example.com:443/x?y#z', 'https://example.com/x?y#z'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
])('a webhook to %s is kept as it is sent', async (url, kept) => {
  const made = await workspace.ask('POST', '/webhooks', { url, events: ['entity.created'] });
  expect([made.status, made.body.url]).toEqual([201, kept]);
  const { secret: _, ...shown } = made.body;
  const replaced = await workspace.ask('PUT', `/webhooks/${made.body.id}`, { ...shown, url });
  expect([replaced.status, replaced.body.url]).toEqual([200, kept]);
});

test('an address of before that was kept as it was written goes out by its scheme', async () => {
  const attempt = await postMessage(
    { url: 'HTTPS://hook.example.com:1/', headers: {}, body: '{}' },
    { timeoutMs: 5000, allowPrivate: true, resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
  );
  expect(attempt.error).toBe('the connection was refused');
});

describe('a name', () => {
  const message = { url: 'http://hook.example.com/', headers: {}, body: '{}' };
  const strict = { timeoutMs: 1000, allowPrivate: false };
  const resolvesTo =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

  test.each([[['127.0.0.1']], [['::ffff:10.0.0.1']], [['93.184.216.34', '192.168.0.1']]])(
    'that resolves to %j is refused, and nothing is sent',
    async (addresses) => {
      const attempt = await postMessage(message, { ...strict, resolve: resolvesTo(...addresses) });
      expect(attempt).toMatchObject({ status: null, error: expect.stringContaining('refused') });
    },
  );

  test('is resolved once, and the connection goes to the address that was looked at', async () => {
    const hosts: unknown[] = [];
    const target = createServer((req, res) => {
      hosts.push(req.headers.host);
      res.end();
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const { port } = target.address() as { port: number };
    let asked = 0;
    const attempt = await postMessage(
      { ...message, url: `http://hook.example.com:${port}/` },
      {
        timeoutMs: 1000,
        allowPrivate: true,
        resolve: async () => {
          asked += 1;
          return [{ address: '127.0.0.1', family: 4 }];
        },
      },
    );
    target.close();
    expect(attempt).toMatchObject({ status: 200, error: null });
    expect([asked, hosts]).toEqual([1, [`hook.example.com:${port}`]]);
  });

  test('that takes too long to resolve is given up', async () => {
    const never = () => new Promise<never>(() => {});
    const attempt = await postMessage(message, { timeoutMs: 100, allowPrivate: false, resolve: never });
    expect(attempt.error).toBe('did not answer within 100 ms');
  });
});

describe('name servers', () => {
  const silent = createSocket('udp4');
  const questions: string[] = [];
  let asked: string;
  beforeAll(async () => {
    // Answers for one name; of all others it says nothing, ever.
    silent.on('message', (question, { port, address }) => {
      const name = nameIn(question);
      questions.push(name);
      if (name === 'answers.example.com') silent.send(answerTo(question), port, address);
    });
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
    asked = `127.0.0.1:${silent.address().port}`;
  });
  afterAll(() => silent.close());

  /** The first label is at 12; the type is behind the name. */
  function nameIn(question: Buffer): string {
    const labels: string[] = [];
    for (let at = 12; question[at] !== 0; at += 1 + (question[at] as number))
      labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] as number)));
    return labels.join('.').toLowerCase();
  }

  function answerTo(question: Buffer): Buffer {
    const end = question.indexOf(0, 12) + 5;
    const asksFour = question[end - 3] === 1;
    const head = Buffer.from(question.subarray(0, end));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(asksFour ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    return asksFour ? Buffer.concat([head, record]) : head;
  }

  const threads = () => new FairShare({ units: 2, ofOneMax: 1, waitingMax: 100, patienceMs: 60_000 });
  const stays = new AbortController().signal;

  test('that never answer for many names keep nobody from asking for others', async () => {
    const resolve = nameResolver({ asksSystem: false, threads: threads(), servers: [asked] });
    const gone = new AbortController();
    const lost = Array.from({ length: 60 }, (_, at) =>
      resolve({ workspaceId: 'a', host: `never-${at}.example.com`, signal: gone.signal }),
    );
    const ends = Promise.allSettled(lost);
    await expect.poll(() => new Set(questions).size).toBe(60);
    const found = await resolve({ workspaceId: 'b', host: 'answers.example.com', signal: stays });
    expect(found).toEqual([{ address: '127.0.0.1', family: 4 }]);
    gone.abort(new Error('gone'));
    expect((await ends).map(({ status }) => status)).toEqual(Array(60).fill('rejected'));
  });

  test('are not asked for what the hosts file says', async () => {
    const hostsFile = join(await mkdtemp(join(tmpdir(), 'partbook-hosts-')), 'hosts');
    await writeFile(
      hostsFile,
      '10.0.0.1 other\n192.0.2.7\tReceiver receiver.example.com # ours\n::1 receiver\n',
    );
    const resolve = nameResolver({ asksSystem: false, threads: threads(), servers: [asked], hostsFile });
    const of = (host: string) => resolve({ workspaceId: 'a', host, signal: stays });
    const four = { address: '192.0.2.7', family: 4 };
    expect(await of('receiver.example.com.')).toEqual([four]);
    expect(await of('RECEIVER')).toEqual([four, { address: '::1', family: 6 }]);
    expect(questions).not.toContain('receiver.example.com');
    await rm(dirname(hostsFile), { recursive: true });
  });
});

test('the waits between attempts grow as the standard proposes, and end', () => {
  const waits = Array.from({ length: 10 }, (_, n) => retryDelay(n + 1, 5000, 0.5));
  expect(waits.map((wait) => (wait === null ? null : wait / 1000))).toEqual([
    5,
    300,
    1800,
    7200,
    18_000,
    36_000,
    50_400,
    72_000,
    86_400,
    null,
  ]);
});
