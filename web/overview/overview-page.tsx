/** The start page: what needs attention, imports, stock movements and quick actions. */
import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { Overview } from '../client/operations.ts';
import { HourChart } from '../components/charts/hour-chart.tsx';
import { PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { STANDING_POLL_MS } from '../components/paused-notice.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { quantityText } from '../components/words.tsx';
import { useAddress } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { movementNames } from '../stock/movements.ts';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LatestBatches } from './latest-batches.tsx';
import styles from './overview.module.css';
import { QuickActions } from './quick-actions.tsx';

const spans = [
  { hours: '24', label: '24 hours' },
  { hours: '72', label: '3 days' },
  { hours: '168', label: '7 days' },
];

export function OverviewPage() {
  const address = useAddress();
  const chosen = spans.find(({ hours }) => hours === address.get('hours')) ?? spans[0];
  const hours = Number(chosen?.hours ?? 24);
  const query = useQuery({
    ...ask('getOverview', { query: { hours } }),
    placeholderData: keepPreviousData,
    refetchInterval: STANDING_POLL_MS,
  });
  return (
    <PageFrame
      title="Overview"
      wide
      actions={
        <NativeSelect
          aria-label="Period"
          value={String(hours)}
          data={spans.map((span) => ({ value: span.hours, label: `Last ${span.label}` }))}
          onChange={(event) => address.set({ hours: event.currentTarget.value })}
        />
      }
    >
      {query.isError && <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />}
      {query.data === undefined ? (
        <Sheet title="Needs attention">
          <Waiting lines={4} />
        </Sheet>
      ) : (
        <Attention overview={query.data} />
      )}
      <div className={styles.sheets}>
        <Imports overview={query.data} span={chosen?.label ?? ''} />
        {query.data !== undefined && <Movements overview={query.data} />}
        <QuickActions />
      </div>
    </PageFrame>
  );
}

const LATEST = { query: { limit: 10, dryRun: 'false', stillRejected: 'true' } } as const;
const ANY = { query: { limit: 1 } };

/** The chart and the latest imports; in a workspace without any, the first steps. */
function Imports({ overview, span }: { overview: Overview | undefined; span: string }) {
  const latest = useQuery(ask('listSyncBatches', LATEST));
  const isEmpty = latest.data?.items.length === 0;
  const any = useQuery({ ...ask('listSyncBatches', ANY), enabled: isEmpty });
  if (isEmpty && any.data?.items.length === 0) return <FirstSteps />;
  return (
    <Sheet
      title={`Imports (last ${span})`}
      actions={<Link href={paths.batches()}>Import history</Link>}
      flush
    >
      <div className={styles.chart}>
        {overview === undefined ? <Waiting lines={4} /> : <HourChart hours={overview.hours} />}
      </div>
      {latest.isError ? (
        <ProblemPanel error={latest.error} onRetry={() => void latest.refetch()} />
      ) : latest.data === undefined ? (
        <Waiting lines={4} />
      ) : (
        <LatestBatches batches={latest.data.items} />
      )}
    </Sheet>
  );
}

function Movements({ overview }: { overview: Overview }) {
  return (
    <Sheet title="Stock movements" actions={<Link href={paths.stockPage('ledger')}>Ledger</Link>} flush>
      {overview.movements.length === 0 ? (
        <p className={styles.nothing}>No stock movements.</p>
      ) : (
        <table>
          <tbody>
            {overview.movements.map(({ movementType, count, isAtLeast }) => (
              <tr key={movementType}>
                <td>
                  <Link href={paths.stockPage('ledger', { movementType })}>
                    {movementNames[movementType]}
                  </Link>
                </td>
                <td className="end">
                  {quantityText(count)}
                  {isAtLeast && ' or more'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Sheet>
  );
}
