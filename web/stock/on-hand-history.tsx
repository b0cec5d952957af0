/** On hand over time, walked back from what is there now through the latest movements. */
import { useQuery } from '@tanstack/react-query';
import { page } from '../client/ask.ts';
import type { StockLedgerEntry, StockPosition } from '../client/operations.ts';
import { fromMillionths, toMillionths } from '../components/exact-quantity.ts';
import { Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { StepChart, type StepPoint } from '../components/step-chart.tsx';
import { countText } from '../components/words.tsx';
import { onHandDelta } from './movements.ts';

const MOVEMENTS_MAX = 500;

export function OnHandHistory({ of }: { of: { item: string } | { location: string } }) {
  const byItem = 'item' in of;
  const ledger = useQuery({
    queryKey: [byItem ? 'listLedgerByItem' : 'listLedgerByLocation', of, 'latest'],
    queryFn: ({ signal }) => {
      const first = { limit: MOVEMENTS_MAX, cursor: undefined };
      return byItem
        ? page('listLedgerByItem', { itemEntityId: of.item }, first, signal)
        : page('listLedgerByLocation', { locationEntityId: of.location }, first, signal);
    },
  });
  const positions = useQuery({
    queryKey: [byItem ? 'listPositionsByItem' : 'listPositionsByLocation', of, 'sum'],
    queryFn: ({ signal }) => sumOnHand(of, signal),
  });
  if (ledger.isError) return <ProblemPanel error={ledger.error} />;
  if (positions.isError) return <ProblemPanel error={positions.error} />;
  if (ledger.data === undefined || positions.data === undefined) return <Waiting lines={4} />;
  if (ledger.data.items.length === 0) return <p className="muted">Nothing has moved yet.</p>;
  const points = pointsOf(positions.data, ledger.data.items);
  return (
    <>
      <StepChart label="On hand over time" points={points} />
      {ledger.data.nextCursor !== null && (
        <p className="muted">The latest {countText(MOVEMENTS_MAX, 'movement')}.</p>
      )}
    </>
  );
}

async function sumOnHand(of: { item: string } | { location: string }, signal: AbortSignal): Promise<bigint> {
  let sum = 0n;
  let cursor: string | undefined;
  do {
    const next: { items: StockPosition[]; nextCursor: string | null } =
      'item' in of
        ? await page('listPositionsByItem', { itemEntityId: of.item }, { limit: 1000, cursor }, signal)
        : await page(
            'listPositionsByLocation',
            { locationEntityId: of.location },
            { limit: 1000, cursor },
            signal,
          );
    for (const { onHand } of next.items) sum += toMillionths(onHand);
    cursor = next.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return sum;
}

/** From what is there now back through the entries, which come newest first. */
function pointsOf(now: bigint, entries: readonly StockLedgerEntry[]): StepPoint[] {
  const points: StepPoint[] = [{ at: new Date().toISOString(), value: fromMillionths(now) }];
  let value = now;
  for (const entry of entries) {
    const delta = onHandDelta(entry);
    if (delta === 0) continue;
    points.push({ at: entry.recordedAt, value: fromMillionths(value) });
    value -= toMillionths(delta);
  }
  return points.reverse();
}
