/** What happened and what needs somebody: what was sent, what fails, what is overdue, where to go on. */
import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { Overview } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { HourChart } from '../components/hour-chart.tsx';
import { PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { STANDING_POLL_MS } from '../components/paused-notice.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { quantityText, today } from '../components/words.tsx';
import { useAddress } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { movementNames } from '../stock/movements.ts';
import { Attention } from './attention.tsx';
import { LatestBatches } from './latest-batches.tsx';
import styles from './overview.module.css';

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
      actions={
        <NativeSelect
          aria-label="How far to look back"
          value={String(hours)}
          data={spans.map((span) => ({ value: span.hours, label: `Last ${span.label}` }))}
          onChange={(event) => address.set({ hours: event.currentTarget.value })}
        />
      }
    >
      {query.isError && <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />}
      <div className={styles.sheets}>
        <div className={styles.stack}>
          <Sheet title="What was sent">
            {query.data === undefined ? <Waiting lines={4} /> : <HourChart hours={query.data.hours} />}
          </Sheet>
          <LatestBatches />
        </div>
        <div className={styles.stack}>
          {query.data === undefined ? (
            <Sheet title="Needs somebody">
              <Waiting lines={4} />
            </Sheet>
          ) : (
            <>
              <Attention overview={query.data} />
              <Movements overview={query.data} />
            </>
          )}
          <GoOn />
        </div>
      </div>
    </PageFrame>
  );
}

function Movements({ overview }: { overview: Overview }) {
  return (
    <Sheet title="Movements of stock" actions={<Link href={paths.stockPage('ledger')}>Ledger</Link>} flush>
      {overview.movements.length === 0 ? (
        <p className={styles.nothing}>Nothing was moved.</p>
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
                  {isAtLeast && ' and more'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Sheet>
  );
}

function GoOn() {
  const mayWrite = useMay('write');
  return (
    <Sheet title="Go on">
      <ul className={styles.ways}>
        <li>
          <Link href={paths.entities()}>Find a part</Link>
        </li>
        {mayWrite && (
          <li>
            <Link href={paths.imports()}>Import a file</Link>
          </li>
        )}
        {mayWrite && (
          <li>
            <Link href={paths.stockPage('count')}>Count a location</Link>
          </li>
        )}
        <li>
          <Link href={paths.procurement()}>See what projects are short of</Link>
        </li>
        <li>
          <Link href={paths.overdueLines(today())}>See what was ordered and is overdue</Link>
        </li>
      </ul>
    </Sheet>
  );
}
