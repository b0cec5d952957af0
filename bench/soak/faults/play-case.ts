/**
 * Plays one fault while clients call: it lasts until every kind of call has been answered as the table says, ends, and
 * when all is well again what was acknowledged is compared with what the service and its tables say there is.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Acknowledged, type Answer, type Kind, keepCalling, kinds, type Outcome } from './callers.ts';
import type { FaultCase } from './cases.ts';
import { countBatches, countSent, selectLost } from './stored.sql.ts';
import { untilReady, type World } from './world.ts';

export interface Played {
  name: string;
  /** From the end of the fault until every kind of call was done that was asked after it. */
  healedMs: number;
  /** Of all calls the one that waited longest, and how many got what while it lasted and until it was well. */
  slowestMs: number;
  meanwhile: Record<string, number>;
}

/** Until every kind of call has been seen, of whatever is waited for. */
const PATIENCE_MS = 180_000;
const LOOK_MS = 20;

/** Throws with what was wrong. `book` is what was acknowledged before, and is added to. */
export async function playCase(
  world: World,
  fault: FaultCase,
  share: number,
  book: Acknowledged,
): Promise<Played> {
  const calling = keepCalling(world.called, book);
  const wrongIn = (from: number, allowed: readonly Outcome[]) =>
    calling.answers.filter(({ askedAt, outcome }) => askedAt >= from && !allowed.includes(outcome));
  const until = async (what: string, from: number, wanted: (kind: Kind) => Outcome | null) => {
    const deadline = performance.now() + PATIENCE_MS;
    const isSeen = (kind: Kind) =>
      calling.answers.some(
        (answer) =>
          answer.kind === kind &&
          answer.askedAt >= from &&
          (wanted(kind) === null || answer.outcome === wanted(kind)),
      );
    while (!kinds.every(isSeen)) {
      if (performance.now() > deadline) {
        const missing = kinds
          .filter((kind) => !isSeen(kind))
          .map((kind) => `${kind} (${last(calling.answers, kind)})`);
        throw new Error(`${fault.name}: ${what} was never seen of ${missing.join(', ')}`);
      }
      await delay(LOOK_MS);
    }
  };
  let restore: (() => Promise<void>) | null = null;
  try {
    const begunAt = performance.now();
    await until('a good answer before', begunAt, () => 'done');
    const struckAt = performance.now();
    restore = await fault.strike(world, share);
    await until('what it is answered meanwhile', performance.now(), (kind) => fault.sees[kind] ?? null);
    await restore();
    restore = null;
    const endedAt = performance.now();
    await until('a good answer after', endedAt, () => 'done');
    const healedMs = Math.round(performance.now() - endedAt);
    await calling.stop();
    // A call before the first good answer may have been asked before, too.
    const wrong = [...wrongIn(begunAt, [...fault.allows, 'done', 'held'])];
    if (wrong.length > 0) throw new Error(`${fault.name}: ${wrong.length} wrong answers: ${tell(wrong)}`);
    await verify(world, book, fault.name);
    return {
      name: fault.name,
      healedMs,
      slowestMs: Math.round(Math.max(...calling.answers.map(({ ms }) => ms))),
      meanwhile: countOf(calling.answers.filter(({ askedAt, ms }) => askedAt + ms >= struckAt)),
    };
  } finally {
    await restore?.().catch(() => {});
    await calling.stop();
  }
}

/** Every batch ends well; nothing is missing and nothing there twice, and the ledger verifies. */
async function verify(world: World, book: Acknowledged, name: string): Promise<void> {
  const { called, primary } = world;
  await untilReady(called.url);
  const deadline = performance.now() + PATIENCE_MS;
  const [sent, elements] = [
    [...book.batches.keys()],
    [...book.batches.values()].reduce((sum, n) => sum + n, 0),
  ];
  const read = async <Row>(sql: string, params: readonly unknown[] = []) =>
    primary.as(async (client) => (await client.query(sql, [...params])).rows as Row[]);
  for (;;) {
    const unfinished = await read<{ id: string; status: string }>(selectLost, [sent]);
    if (unfinished.length === 0) break;
    const failed = unfinished.filter(({ status }) => !['queued', 'processing'].includes(status));
    if (failed.length > 0 || performance.now() > deadline)
      throw new Error(
        `${name}: batches are lost or did not end well: ${JSON.stringify(unfinished.slice(0, 5))}`,
      );
    await delay(LOOK_MS);
  }
  const [batches] = await read<{ batches: number }>(countBatches);
  const [entities] = await read<{ entities: number }>(countSent);
  const ask = async (path: string) => {
    const answer = await fetch(`${called.url}${called.path}${path}`, {
      headers: { Authorization: `Bearer ${called.key}` },
    });
    if (!answer.ok) throw new Error(`${name}: ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const stock = (await ask(`/stock/positions/by-item/${called.itemId}`)) as { items: { onHand: unknown }[] };
  const ledger = (await ask('/stock/ledger/verify')) as { ok: boolean };
  const found = {
    batches: batches?.batches,
    entities: entities?.entities,
    onHand: Number(stock.items[0]?.onHand ?? 0),
    ledger: ledger.ok,
  };
  const expected = { batches: sent.length, entities: elements, onHand: book.adjusted, ledger: true };
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`${name}: found ${JSON.stringify(found)}, acknowledged was ${JSON.stringify(expected)}`);
}

function last(answers: readonly Answer[], kind: Kind): string {
  const answer = answers.findLast((one) => one.kind === kind);
  return answer === undefined ? 'nothing' : `${answer.outcome} ${answer.said}`;
}

function tell(answers: readonly Answer[]): string {
  return answers
    .slice(0, 5)
    .map(({ kind, outcome, said, ms }) => `${kind} ${outcome} after ${Math.round(ms)} ms: ${said}`)
    .join('; ');
}

function countOf(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, outcome } of answers)
    counts[`${kind} ${outcome}`] = (counts[`${kind} ${outcome}`] ?? 0) + 1;
  return counts;
}
