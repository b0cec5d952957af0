/** On hand over time: as many points as the picture needs, however many movements lie between. */

import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../client/request.ts';
import { StepChart } from '../components/charts/step-chart.tsx';
import { Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import styles from './stock.module.css';

const POINTS = 200;
const DAY_MS = 86_400_000;
const spans = [
  { value: '1', label: 'The last day' },
  { value: '7', label: 'The last week' },
  { value: '90', label: 'The last 90 days' },
  { value: '365', label: 'The last year' },
];

/** The shortest span that goes back behind the beginning: before it there is nothing to be seen. */
function spanSince(since: string): string {
  const days = (Date.now() - Date.parse(since)) / DAY_MS;
  return (spans.slice(0, 3).find(({ value }) => Number(value) > days) ?? spans[2])?.value ?? '90';
}

export interface OnHandHistoryProps {
  of: { item: string } | { location: string };
  /** When the item or the location was made. */
  since: string;
}

export function OnHandHistory({ of, since }: OnHandHistoryProps) {
  const byItem = 'item' in of;
  const [chosen, setChosen] = useState<string | null>(null);
  const days = chosen ?? spanSince(since);
  const query = useQuery({
    // Under the name of the ledger, so that a movement renews it.
    queryKey: [byItem ? 'listLedgerByItem' : 'listLedgerByLocation', of, 'history', days],
    queryFn: ({ signal }) => {
      const to = new Date();
      const from = new Date(to.getTime() - Number(days) * DAY_MS);
      const span = { from: from.toISOString(), to: to.toISOString(), points: POINTS };
      return byItem
        ? call('getHistoryByItem', { itemEntityId: of.item, query: span }, { signal })
        : call('getHistoryByLocation', { locationEntityId: of.location, query: span }, { signal });
    },
  });
  return (
    <>
      <div className={styles.countTools}>
        <NativeSelect
          aria-label="Time shown"
          value={days}
          data={spans}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      </div>
      {query.isError ? (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Waiting lines={4} />
      ) : (
        <StepChart
          label="On hand over time"
          points={query.data.items.map(({ at, onHand }) => ({ at, value: onHand }))}
        />
      )}
    </>
  );
}
