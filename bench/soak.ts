/**
 * Breaks things for a while: SIGKILL of web, worker, a PostgreSQL backend (which makes PostgreSQL recover from its
 * log) or PostgreSQL's first process, and FLUSHALL of Redis, at random moments while batches are sent, applied
 * and automated. After each round everything that was acknowledged must be there once: results, entities, links,
 * revisions, events, runs of automations and what these wrote. `npm run soak`, with SOAK_ROUNDS, SOAK_SEED,
 * SOAK_PARTS and SOAK_LOG (a file for the logs of web and worker) in the environment.
 */
import { Redis } from 'ioredis';
import { makeAutomations } from './soak/automations.ts';
import {
  type Book,
  countsOf,
  enterPayload,
  enterRelease,
  openBook,
  STATES_TO_RELEASE,
  totalsOf,
} from './soak/book.ts';
import { type Client, openClient, submit } from './soak/client.ts';
import { faults, planRound, type Round } from './soak/plan-round.ts';
import { openRandom } from './soak/random.ts';
import { type Strike, strikeAll, type Target } from './soak/strike.ts';
import { untilEnded, verifyBatch } from './soak/verify-batch.ts';
import {
  openDatabase,
  untilEventsRead,
  verifyEntities,
  verifyEvents,
  verifyTotals,
} from './soak/verify-stored.ts';
import { startSystem } from './system.ts';

const ROUNDS = Number(process.env.SOAK_ROUNDS ?? 72);
const SEED = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000);
const SIZES = {
  parts: Number(process.env.SOAK_PARTS ?? 400),
  subassemblies: 5,
  released: 15,
  open: 20,
  unchanged: 50,
};
/** For an answer to a call, the end of a batch and the end of its events, each; healing takes up to a minute. */
const DEADLINE_MS = 180_000;

interface Soaked extends Target {
  client: Client;
  workspaceId: string;
  book: Book;
}

async function soak(): Promise<void> {
  console.log(`${ROUNDS} rounds, seed ${SEED}`);
  const random = openRandom(SEED);
  const system = await startSystem(
    // A machine that is short of processors must not end runs by their wall time: every run is to succeed.
    { SYNC_CHUNK_ELEMENTS: '100', SCRIPT_WALL_MS: '60000', LOG_LEVEL: 'warn' },
    { supervised: true, logFile: process.env.SOAK_LOG },
  );
  const redis = new Redis(system.redisUrl);
  const interrupted = () => {
    redis.disconnect();
    void system.close().finally(() => process.exit(130));
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  const struck: Strike[] = [];
  try {
    const workspace = await system.createWorkspace();
    const client = openClient(workspace, DEADLINE_MS);
    const database = openDatabase(system.databaseUrl, DEADLINE_MS);
    const soaked = { system, redis, database, client, workspaceId: workspace.id, book: openBook() };
    await makeAutomations(client);
    for (let number = 1; number <= ROUNDS; number++) {
      const round = planRound(random, soaked.book, number, SIZES);
      struck.push(...(await playRound(soaked, round)));
    }
    await verifyEntities(database, workspace.id, [...soaked.book.kept.values()]);
    console.log(`nothing lost, nothing twice: ${JSON.stringify(totalsOf(soaked.book))}`);
    console.log(`struck: ${faults.map((fault) => `${fault} ${times(struck, fault)}`).join(', ')}`);
    const { web, worker } = system;
    console.log(`ended by themselves: web ${web.ownEnds()}, worker ${worker.ownEnds()} times`);
  } finally {
    redis.disconnect();
    await system.close();
  }
}

/** Plays the round and checks what came of it; returns its strikes. */
async function playRound(soaked: Soaked, round: Round): Promise<Strike[]> {
  const struck: Strike[] = [];
  const over = new AbortController();
  try {
    const [work, strikes] = await Promise.allSettled([
      disturbed(soaked, round).finally(() => over.abort()),
      strikeAll(soaked, round.strikes, over.signal, struck),
    ]);
    // A server that did not come back is why the work failed.
    if (strikes.status === 'rejected') throw strikes.reason;
    if (work.status === 'rejected') throw work.reason;
    await verify(soaked, round, work.value);
    const { sentMs, endedMs, readMs } = work.value;
    console.log(
      `round ${round.payload.round}: ${show(struck)}; accepted at ${sentMs}, applied at ${endedMs}, automated at ${readMs} ms: all there`,
    );
    return struck;
  } catch (error) {
    const where = `Round ${round.payload.round} of seed ${SEED} (${show(struck)})`;
    throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
  }
}

interface Done {
  /** Ids of the batches. */
  first: string;
  again: string;
  /** From the beginning of the first submission until both were accepted, had ended, and all events were read. */
  sentMs: number;
  endedMs: number;
  readMs: number;
}

/** All that the strikes may disturb, from the first submission to the last run of an automation. */
async function disturbed({ client, database, workspaceId }: Soaked, round: Round): Promise<Done> {
  const startedAt = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedAt);
  const { elements } = round.payload;
  const sending = async () => {
    const first = await submit(client, elements, round.first);
    const again = await submit(client, elements, round.again);
    return { first, again, sentMs: elapsedMs() };
  };
  const releasing = round.releases.map((guid) => release(client, guid, round.first.idempotencyKey));
  const [sent] = await Promise.all([sending(), ...releasing]);
  await untilEnded(client, sent.first, DEADLINE_MS);
  await untilEnded(client, sent.again, DEADLINE_MS);
  const endedMs = elapsedMs();
  await untilEventsRead(database, workspaceId, DEADLINE_MS);
  return { ...sent, endedMs, readMs: elapsedMs() };
}

async function release(client: Client, guid: string, key: string): Promise<void> {
  for (const toState of STATES_TO_RELEASE) {
    await client.ask(`/entities/guid:${guid}/transitions`, {
      method: 'POST',
      headers: { 'Idempotency-Key': `${key}-${guid}-${toState.replace(' ', '-')}` },
      body: () => JSON.stringify({ toState }),
    });
  }
}

async function verify(
  { client, database, workspaceId, book }: Soaked,
  { payload, releases }: Round,
  sent: Done,
): Promise<void> {
  const { elements } = payload;
  await verifyBatch(client, sent.first, elements, countsOf(book, payload));
  await verifyBatch(client, sent.again, elements, { created: 0, updated: 0, skipped: elements.length });
  enterPayload(book, payload);
  for (const guid of releases) enterRelease(book, guid);
  await verifyTotals(database, workspaceId, book);
  await verifyEvents(database, workspaceId, book);
  const touched = new Set([...elements.map(({ guid }) => guid), ...payload.grown, ...releases]);
  const kept = [...book.kept].flatMap(([guid, entity]) => (touched.has(guid) ? [entity] : []));
  await verifyEntities(database, workspaceId, kept);
}

function times(struck: readonly Strike[], fault: Strike['fault']): number {
  return struck.filter((strike) => strike.fault === fault).length;
}

function show(struck: readonly Strike[]): string {
  if (struck.length === 0) return 'nothing struck';
  return struck.map(({ fault, atMs }) => `${fault} at ${atMs} ms`).join(', ');
}

try {
  await soak();
} catch (error) {
  console.error(error);
  console.error(`Again: SOAK_SEED=${SEED} SOAK_ROUNDS=${ROUNDS} npm run soak`);
  process.exitCode = 1;
}
