/**
 * How long a workspace stops when it moves to another cell while it is written to, and whether anything is lost on the way: moves
 * there and back between two installations behind one HAProxy, by the command, with the logins that docs/scaling.md names.
 * BENCH_ENTITIES sets the size of the workspace, BENCH_MOVES the number of moves; what BENCH_MINUTES cut short has not held.
 */

import { forgetWorkspace } from '../src/transfer/forget-workspace.ts';
import { compressLines, defineProperties, generateEntities, sendBatch, untilEnded } from './entities.ts';
import { type Load, startCallers } from './move/callers.ts';
import { move, startCells } from './move/cells.ts';
import { bookOf, differences, lostOf } from './move/lost-of.ts';

export const name = 'move';

const ENTITIES = Number(process.env.BENCH_ENTITIES ?? 10_000);
const MOVES = Number(process.env.BENCH_MOVES ?? 20);
const MINUTES_MAX = Number(process.env.BENCH_MINUTES ?? 40);
const ADJUSTERS = 4;
const SENDERS = 2;
const PAUSE_MS_BELOW = 2000;

export async function run(): Promise<unknown> {
  const cells = await startCells({ SYNC_CHUNK_ELEMENTS: '500' });
  try {
    const { first, second, balancer } = cells;
    const workspace = await first.system.createWorkspace();
    await defineProperties(workspace);
    await untilEnded(workspace, await sendBatch(workspace, compressLines(generateEntities(ENTITIES)), 0));
    const make = async (category: string) => {
      const answer = await fetch(`${workspace.path}/entities`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${workspace.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ category, name: category }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return ((await answer.json()) as { id: string }).id;
    };
    const items: string[] = [];
    for (let at = 0; at < ADJUSTERS; at++) items.push(await make('part'));
    const location = await make('location');
    const { slug, key } = workspace;
    // What the callers leave alone: it has to be the same, row by row, wherever the workspace is.
    const book = await bookOf(first.owner, workspace.id);
    console.log(
      `  the book before the first move: ${Object.entries(book.tables)
        .map(([table, { rows }]) => `${rows} of ${table}`)
        .join(', ')}`,
    );
    const load = startCallers({ url: balancer.url, slug, key, items, location }, SENDERS);

    const changedBooks: string[] = [];
    const moves: { pauseMs: number; seenMs: number; copied: number; entries: number; seconds: number }[] = [];
    const deadline = performance.now() + MINUTES_MAX * 60_000;
    let [from, to] = [first, second];
    while (moves.length < MOVES && performance.now() < deadline && load.failures.length === 0) {
      const startedAt = performance.now();
      const moved = await move(slug, from, to, balancer);
      const seconds = (performance.now() - startedAt) / 1000;
      const stopAt = moved.steps.find(({ step }) => step === 'stop')?.at ?? startedAt;
      const seenMs = Math.max(
        0,
        ...load.waits.filter(({ until }) => until > stopAt).map((one) => one.until - one.from),
      );
      const { pauseMs, copied, ledger } = moved;
      moves.push({ pauseMs, seenMs, copied, entries: ledger.entries, seconds });
      const between = moved.steps.map(
        ({ step, at }, i) => `${step} ${Math.round((moved.steps[i + 1]?.at ?? at) - at)}`,
      );
      console.log(
        `  ${copied} rows, ${ledger.entries} entries of the ledger: pause ${pauseMs} ms, longest call ${Math.round(seenMs)} ms, ${seconds.toFixed(1)} s in all (${between.join(', ')})`,
      );
      for (const one of differences(book, await bookOf(to.owner, workspace.id, book)))
        changedBooks.push(`after move ${moves.length}: ${one}`);
      await forgetWorkspace(from.owner, slug, { withName: true });
      [from, to] = [to, from];
    }
    await load.stop();
    const lost = await lostOf(
      { serviceUrl: from.system.serviceUrl, owner: from.owner },
      workspace.id,
      items,
      load,
    );
    return conclude(moves, [...changedBooks, ...lost], load);
  } finally {
    await cells.close();
  }
}

function conclude(
  moves: readonly { pauseMs: number; seenMs: number }[],
  lost: readonly string[],
  load: Load,
) {
  // Of twenty the 99th percentile is the longest.
  const worst = (values: readonly number[]) => Math.round(Math.max(...values));
  const middle = (values: readonly number[]) =>
    Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number);
  const pauses = moves.map(({ pauseMs }) => pauseMs);
  const seen = moves.map(({ seenMs }) => seenMs);
  const p99 = { pauseMs: worst(pauses), seenMs: worst(seen) };
  const p50 = { pauseMs: middle(pauses), seenMs: middle(seen) };
  const failed = load.failures.length;
  const ok = p99.pauseMs < PAUSE_MS_BELOW && failed === 0 && lost.length === 0 && moves.length === MOVES;
  console.log(
    `${moves.length} of ${MOVES} moves: pause p50 ${p50.pauseMs} ms, p99 ${p99.pauseMs} ms (below ${PAUSE_MS_BELOW}); the longest call of each, p50 ${p50.seenMs} ms, p99 ${p99.seenMs} ms`,
  );
  console.log(
    `${load.entries.length} adjustments, ${load.batches.length} batches, ${load.reads()} reads taken; ${load.refusals()} answers of 503 with Retry-After, ${failed} others; lost: ${lost.length === 0 ? 'nothing' : lost.join('; ')}: ${ok ? 'holds' : 'FAILS'}`,
  );
  for (const failure of load.failures.slice(0, 5)) console.log(`  ${failure}`);
  const counts = {
    adjustments: load.entries.length,
    batches: load.batches.length,
    reads: load.reads(),
    refusals: load.refusals(),
  };
  return { entities: ENTITIES, moves, p50, p99, counts, failures: load.failures.slice(0, 20), lost, ok };
}
