// What the configuration refuses, with a sentence.
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

test('settings that nobody reads are named, and nothing of others', () => {
  const misspelled = {
    SYNC_LANES: '2',
    SYNC_THREAD: '2',
    DATABASE_URI: 'postgres://db/partbook',
    WEBHOOK_TIMEOUT: '1',
  };
  const ofOthers = {
    DATABASE_SERVICE_HOST: '10.0.0.1',
    DATABASE_PORT_5432_TCP: 'tcp://10.0.0.1:5432',
    OTEL_EXPORTER_OTLP_HEADERS: 'a=b',
    PATH: '/bin',
    NODE_OPTIONS: '',
  };
  const read = Object.fromEntries(Object.keys(readConfig({})).map((name) => [name, '']));
  expect(unreadSettings({ ...read, ...ofOthers })).toEqual([]);
  expect(unreadSettings({ ...read, ...ofOthers, ...misspelled })).toEqual(Object.keys(misspelled).sort());
});
