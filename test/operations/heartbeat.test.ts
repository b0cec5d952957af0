// What a health check learns of the workers of a machine.
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../src/db/connect.ts';
import { readHeartbeats, startHeartbeat } from '../../src/operations/heartbeat.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'partbook-heartbeat-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A process id that no process has: above what the kernel gives. */
const DEAD = 2 ** 22 + 1;
const answers = { query: async () => [] } as Pick<Db, 'query'> as Db;
const isAway = { query: () => Promise.reject(new Error('away')) } as Pick<Db, 'query'> as Db;

test('a worker that lives is seen, and is gone when it was stopped in order', async () => {
  const heartbeat = startHeartbeat(answers, folder);
  await expect.poll(() => readHeartbeats(folder)).toEqual({ living: [process.pid], silent: [] });
  await heartbeat.close();
  expect(readHeartbeats(folder)).toEqual({ living: [], silent: [] });
});

test('one that hangs is seen beside one that lives', async () => {
  const heartbeat = startHeartbeat(answers, folder);
  await expect.poll(() => readHeartbeats(folder).living).toEqual([process.pid]);
  const hung = join(folder, '1');
  writeFileSync(hung, '');
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(hung, longAgo, longAgo);
  expect(readHeartbeats(folder)).toEqual({ living: [process.pid], silent: [1] });
  await heartbeat.close();
});

test('one whose database is away shows no life', async () => {
  const heartbeat = startHeartbeat(isAway, folder);
  await heartbeat.close();
  expect(readHeartbeats(folder)).toEqual({ living: [], silent: [] });
});

test('what a killed worker left is forgotten by the one that starts after it', async () => {
  writeFileSync(join(folder, String(DEAD)), '');
  const heartbeat = startHeartbeat(answers, folder);
  await expect.poll(() => readdirSync(folder)).toEqual([String(process.pid)]);
  await heartbeat.close();
});
