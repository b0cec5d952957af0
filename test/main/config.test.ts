// What the configuration refuses, with a sentence, and what every program says of settings that nobody reads.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readConfig, unreadSettings } from '../../src/config.ts';

const trust = (text: string) => readConfig({ TRUST_PROXY: text }).TRUST_PROXY;

test.each([
  ['', false],
  ['false', false],
  ['0', false],
  ['1', 1],
  ['2', 2],
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['loopback, 10.1.2.3,fd00::/8', ['loopback', '10.1.2.3', 'fd00::/8']],
])('TRUST_PROXY=%s is understood', (text, wanted) => {
  expect(trust(text)).toEqual(wanted);
});

test.each([
  'true',
  'TRUE',
  'yes',
  '-1',
  '99',
  '*',
  '0.0.0.0/0',
  '::/0',
  '10.0.0.0/33',
  '10.0.0.0/255.0.0.0',
  'proxy.example',
  ',',
])('TRUST_PROXY=%s is refused', (text) => {
  expect(() => trust(text)).toThrow(/^TRUST_PROXY: /);
});

test('TRUST_PROXY=true is refused with the reason and the way round', () => {
  expect(() => trust('true')).toThrow(/let every client choose its address.*how many proxies/);
});

test('variables that were meant for settings are named, and none of others', () => {
  const meant = [
    'DATABASE_URI',
    'LOG_LEVL',
    'REDIS_URI',
    'SESSION_HOUR',
    'SYNC_LANES',
    'SYNC_THREAD',
    'WEBHOOK_TIMEOUT',
  ];
  // Of Kubernetes, links of containers, hosts of applications, CGI, and of whoever puts an address together.
  const ofOthers = `DATABASE_HOST DATABASE_NAME DATABASE_USER DATABASE_PASSWORD DATABASE_PUBLIC_URL DATABASE_SERVICE_HOST
    DATABASE_PORT DATABASE_PORT_5432_TCP DATABASE_ENV_PGVERSION REDIS_HOST REDIS_PORT REDIS_PASSWORD SCRIPT_NAME SIGN_KEY HOSTS
    HOSTNAME PORTS PATH NODE_OPTIONS OTEL_EXPORTER_OTLP_HEADERS npm_config_user_agent CI DEMOS SYNC_SERVICE_HOST SYNC_PORT`;
  const environment = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'given']));
  const read = Object.keys(readConfig({}));
  const others = ofOthers.split(/\s+/);
  expect(unreadSettings(environment([...read, ...others]))).toEqual([]);
  expect(unreadSettings(environment([...read, ...others, ...meant]))).toEqual(meant);
  expect(unreadSettings({ SYNC_THREAD: '', REDIS_URI: undefined })).toEqual([]);
});

test.each([
  ['main.ts', 'migrate'],
  ['transfer/commands/workspace.command.ts', 'export', 'acme', '-'],
  ['stock/digest/verify-ledger.command.ts'],
  ['embedded/back-up.command.ts', '/dev/null/copy'],
  ['embedded/restore.command.ts', '/dev/null/copy'],
])(
  '%s names a setting that is misspelled, and keeps what it was asked for free of it',
  async (file, ...args) => {
    const program = fileURLToPath(new URL(`../../src/${file}`, import.meta.url));
    const { PATH, HOME } = process.env;
    // No folder can be made there: each ends before it has a database.
    const start = (more: Record<string, string>) =>
      new Promise<{ code: unknown; out: string; said: string }>((resolve) => {
        const env = { PATH, HOME, DATA_DIR: '/dev/null/data', ...more };
        execFile(process.execPath, [program, ...args], { env }, (error, out, said) =>
          resolve({ code: error?.code ?? 0, out, said }),
        );
      });
    const { out, said } = await start({ DATABASE_URI: 'postgres://somewhere' });
    const [told, free] = file === 'main.ts' ? [out, ''] : [said, out];
    expect(told).toMatch(/"setting":"DATABASE_URI","msg":"nobody reads this setting: it is misspelled/);
    expect(free).toBe('');
    const wrong = await start({ PORT: 'http' });
    expect(wrong).toMatchObject({
      code: 2,
      out: '',
      said: expect.stringMatching(/is not valid:\nPORT: .+\n$/),
    });
  },
);
