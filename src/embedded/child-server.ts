// PostgreSQL and Redis are embedded by one policy, which stands here once: one server a data folder, shared
// by all processes that use the folder, and gone when the process that started it is gone.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { writePrivateFile } from '../process/private-file.ts';
import { withFolderLock } from './folder-lock.ts';
import { identifySelf, isRunning } from './process-identity.ts';
import {
  endProcess,
  freePort,
  type LaunchCommand,
  type LaunchLog,
  pollUntil,
  sendSignal,
  spawnServer,
} from './server-process.ts';

const START_ATTEMPTS_MAX = 4;
const START_LOCK_WAIT_MS = 90_000;
const STOP_LOCK_WAIT_MS = 5_000;
const READY_WITHIN_MS = 60_000;
const STOP_STEP_MS = 10_000;

export interface ServerSpec {
  /** Names the lock and the record in the folder, and the server in messages. */
  name: string;
  /** Must exist. */
  folder: string;
  log: LaunchLog;
  /** From gentle to final. */
  stopSignals: readonly [NodeJS.Signals, ...NodeJS.Signals[]];
  /** True once the server on that port has taken our password and answers; false as long as it does not. */
  answers(port: number): Promise<boolean>;
  /** Prepares the data where needed and says how to start. Runs under the folder's lock. */
  prepare(): Promise<(port: number) => LaunchCommand>;
  /** A server on this folder that no record names. It is joined, and never stopped. */
  findForeign?(): { server: string; port: number } | null;
}

export interface RunningServer {
  port: number;
  reused: boolean;
  stop(): Promise<void>;
}

/** On disk while a server runs. `server` and `owner` are process identities; a foreign server has no owner. */
interface ServerRecord {
  server: string;
  port: number;
  owner: string | null;
  diesWithOwner: boolean;
}

export async function joinOrStart(spec: ServerSpec): Promise<RunningServer> {
  // The kernel's parent-death signal follows the thread that forked: a worker's end would end the server.
  if (!isMainThread) throw new Error(`The embedded ${spec.name} must be started from the main thread`);
  return withFolderLock(spec.folder, spec.name, START_LOCK_WAIT_MS, async () => {
    return (await joinRunning(spec)) ?? (await startNew(spec));
  });
}

async function joinRunning(spec: ServerSpec): Promise<RunningServer | null> {
  const record = readRecord(spec) ?? foreignRecord(spec);
  if (record === null || !isRunning(record.server)) return null;

  const ownerLives = record.owner === null || isRunning(record.owner);
  if (!ownerLives && record.diesWithOwner) {
    // The server may answer for a moment, but it shuts down: a process that joined it would lose its connections.
    await endProcess(record.server, spec.stopSignals, STOP_STEP_MS, spec.log);
    return null;
  }
  const ended = () => !isRunning(record.server);
  if (!(await pollUntil(READY_WITHIN_MS, () => spec.answers(record.port), ended))) {
    if (ended()) return null;
    throw new Error(`A ${spec.name} runs on ${spec.folder} but does not answer on port ${record.port}`);
  }
  if (ownerLives) {
    spec.log.debug({ port: record.port }, `using the ${spec.name} that runs on this folder already`);
    return { port: record.port, reused: true, stop: async () => {} };
  }
  // Only where there is no parent-death signal: its owner was killed, and this process takes its place.
  writeRecord(spec, { ...record, owner: identifySelf() });
  spec.log.info({ port: record.port }, `took over the ${spec.name} that an ended process left running`);
  return { port: record.port, reused: true, stop: makeStop(spec, record.server, false, () => {}) };
}

async function startNew(spec: ServerSpec): Promise<RunningServer> {
  const startedAt = performance.now();
  const commandFor = await spec.prepare();
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const command = commandFor(port);
    const { diesWithOwner } = command;
    const child = spawnServer(`embedded ${spec.name}`, command, spec.log);
    let output = '';
    try {
      writeRecord(spec, { server: child.identity, port, owner: identifySelf(), diesWithOwner });
      if (await pollUntil(READY_WITHIN_MS, () => spec.answers(port), child.ended)) {
        child.expectToRun();
        spec.log.debug({ port, ms: Math.round(performance.now() - startedAt) }, `started ${spec.name}`);
        return { port, reused: false, stop: makeStop(spec, child.identity, diesWithOwner, child.expectEnd) };
      }
      output = child.ended() ? await child.output() : 'it does not answer';
      throw new Error(`The embedded ${spec.name} did not start: ${output}`);
    } catch (error) {
      await endProcess(child.identity, spec.stopSignals, STOP_STEP_MS, spec.log);
      rmSync(recordPath(spec), { force: true });
      // Someone took our free port, or children of a killed predecessor are about to let go of the data.
      if (attempt >= START_ATTEMPTS_MAX || !/\bin use\b/i.test(output)) throw error;
      await delay(100 * attempt);
    }
  }
}

function makeStop(
  spec: ServerSpec,
  server: string,
  diesWithOwner: boolean,
  onStop: () => void,
): () => Promise<void> {
  // Without a parent-death signal, the orderly end of this process is the last moment to end the server.
  const onExit = () => sendSignal(server, spec.stopSignals[0]);
  if (!diesWithOwner) process.once('exit', onExit);

  const end = async () => {
    await endProcess(server, spec.stopSignals, STOP_STEP_MS, spec.log);
    process.removeListener('exit', onExit);
    if (readRecord(spec)?.server === server) rmSync(recordPath(spec), { force: true });
  };
  let stopping: Promise<void> | null = null;
  return () => {
    onStop();
    // Under the lock, so that a start that comes meanwhile waits instead of joining a server that is ending.
    stopping ??= withFolderLock(spec.folder, spec.name, STOP_LOCK_WAIT_MS, end).catch(end);
    return stopping;
  };
}

function foreignRecord(spec: ServerSpec): ServerRecord | null {
  const found = spec.findForeign?.() ?? null;
  return found === null ? null : { ...found, owner: null, diesWithOwner: false };
}

function recordPath(spec: ServerSpec): string {
  return join(spec.folder, `${spec.name}.server.json`);
}

function writeRecord(spec: ServerSpec, record: ServerRecord): void {
  writePrivateFile(recordPath(spec), `${JSON.stringify(record)}\n`);
}

function readRecord(spec: ServerSpec): ServerRecord | null {
  try {
    return JSON.parse(readFileSync(recordPath(spec), 'utf8')) as ServerRecord;
  } catch {
    // Absent, or written by hand: the server's own files and its port decide.
    return null;
  }
}
