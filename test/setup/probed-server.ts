/**
 * Another process of the service whose event loop is watched: how long one turn of it kept the others waiting,
 * told by the processor time that its thread used meanwhile, so that a crowded machine is not mistaken for it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { startOtherServer } from '../stock/other-server.ts';
import { PATIENCE_MS } from './patience.ts';
import type { TestServer } from './server.ts';

/** No turn of a loop is to take longer; more on a machine whose processor time goes less far than a present one's. */
const TURN_MS_MAX = 50;
/** What `measureWork` takes on a present machine. */
const WORK_MS = 60;

export interface ProbedServer {
  baseUrl: string;
  /** The longest turn since it was last asked, in milliseconds of processor time. */
  longestTurnMs(): Promise<number>;
  /** Whether that is beyond the bound for this machine as it is now, where processor time may go less far. */
  isTooLong(ms: number): boolean;
  end(): Promise<void>;
}

const probe = fileURLToPath(new URL('../../bench/loop-probe.ts', import.meta.url));

export async function startProbedServer(
  server: TestServer,
  environment: Record<string, string> = {},
): Promise<ProbedServer> {
  const file = join(tmpdir(), `partbook-loop-${randomBytes(6).toString('hex')}`);
  const other = await startOtherServer(server, {
    environment: { CHECK_ANSWERS: 'false', LOOP_PROBE_FILE: file, ...environment },
    preload: probe,
  });
  const read = async () => {
    process.kill(other.pid, 'SIGUSR2');
    // It looks for a file, which costs nothing, and is asked thousands of times.
    await vi.waitUntil(() => existsSync(file), { timeout: PATIENCE_MS, interval: 2 });
    const { busyMs } = JSON.parse(await readFile(file, 'utf8')) as { busyMs: number };
    await rm(file);
    return busyMs;
  };
  await read();
  // The slowest so far counts: how far processor time goes depends on what the neighbours of a machine do.
  let workMs = WORK_MS;
  const isTooLong = (ms: number) => {
    if (ms <= (TURN_MS_MAX * workMs) / WORK_MS) return false;
    workMs = Math.max(workMs, measureWork());
    return ms > (TURN_MS_MAX * workMs) / WORK_MS;
  };
  return { baseUrl: other.baseUrl, longestTurnMs: read, isTooLong, end: () => other.end() };
}

/** Processor time of a piece of work of the kind that a service does, in milliseconds: the median of several. */
function measureWork(): number {
  const record = { id: 'x'.repeat(36), name: 'A part', properties: { Mass: 12.5, Colour: 'grey' } };
  const times = Array.from({ length: 7 }, () => {
    const before = process.threadCpuUsage();
    const text = JSON.stringify(Array.from({ length: 40_000 }, (_, at) => ({ ...record, at })));
    JSON.parse(text);
    const used = process.threadCpuUsage(before);
    return (used.user + used.system) / 1000;
  });
  return times.sort((a, b) => a - b)[3] as number;
}
