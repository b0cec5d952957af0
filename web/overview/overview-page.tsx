/** What happened and what needs somebody: what was sent, what fails, what is overdue, where to go on. */
import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { standsStill } from '../batches/stands-still.ts';
import { ask } from '../client/ask.ts';
import type { Overview } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { HourChart } from '../components/hour-chart.tsx';
import { PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { PausedText, STANDING_POLL_MS } from '../components/paused-notice.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import {
  countText,
  Due,
  Moment,
  PartNumber,
  Quantity,
  quantityText,
  StatusWord,
  today,
} from '../components/words.tsx';
import { useAddress } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { movementNames } from '../stock/movements.ts';
import { LatestBatches, RefusedIn } from './latest-batches.tsx';
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

/** What is held back or stands still, what fails, what is overdue: nothing where all is well. */
function Attention({ overview }: { overview: Overview }) {
  const { overdueRequirements: overdue, failedRuns, failingWebhooks, failedBatches, paused } = overview;
  const refused = overview.hours.reduce((sum, { errors }) => sum + errors, 0);
  const fails = refused + failedBatches.count + failedRuns.count + failingWebhooks.length;
  const isWell =
    fails === 0 && overdue.count === 0 && paused.length === 0 && !isWorthSaying(overview.waitingBatches);
  return (
    <div className={isWell ? undefined : styles.first}>
      <Sheet title="Needs somebody" flush>
        {isWell && <p className={styles.nothing}>Nothing is overdue, and nothing fails.</p>}
        {paused.map((one) => (
          <p key={one.work} className={styles.held} role="status">
            <PausedText paused={one} />
          </p>
        ))}
        <Line overview={overview} />
        {failedBatches.items.length > 0 && (
          <table>
            <thead>
              <tr>
                <th>Batch</th>
                <th>Why it failed</th>
                <th>At</th>
              </tr>
            </thead>
            <tbody>
              {failedBatches.items.map((one) => (
                <tr key={one.batchId}>
                  <td>
                    <Link href={paths.batch(one.batchId)}>{one.profileName}</Link>
                  </td>
                  <td className={styles.said}>{one.message}</td>
                  <td>
                    <Moment at={one.failedAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {failedBatches.count > failedBatches.items.length && (
          <p className={styles.nothing}>
            <Link href={paths.batches({ status: 'failed' })}>
              All {quantityText(failedBatches.count)}
              {failedBatches.isAtLeast && ' and more'} that failed
            </Link>
          </p>
        )}
        {refused > 0 && (
          <p className={styles.refused}>
            <strong className="bad">{countText(refused, 'element')} refused</strong>
            <RefusedIn />
          </p>
        )}
        {failedRuns.automations.length > 0 && (
          <table>
            <thead>
              <tr>
                <th>Automation</th>
                <th>What it said</th>
                <th className="end">Failed</th>
              </tr>
            </thead>
            <tbody>
              {failedRuns.automations.map((one) => (
                <tr key={one.automationId}>
                  <td>
                    <Link href={paths.automation(one.automationId)}>{one.name}</Link>
                  </td>
                  <td className={styles.said}>
                    <Link href={paths.automationRun(one.lastRunId)}>{one.message ?? 'See the run'}</Link>
                  </td>
                  <td className="end bad">{quantityText(one.failed)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {failingWebhooks.length > 0 && (
          <table>
            <thead>
              <tr>
                <th>Webhook</th>
                <th>Since</th>
              </tr>
            </thead>
            <tbody>
              {failingWebhooks.map((one) => (
                <tr key={one.webhookId}>
                  <td className={styles.said}>
                    <Link href={paths.settings('webhooks', one.webhookId)}>{one.url}</Link>
                  </td>
                  <td>
                    {one.enabled ? (
                      <Moment at={one.failingSince} />
                    ) : (
                      <StatusWord tone="bad">switched off</StatusWord>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {overdue.items.length > 0 && (
          <table>
            <thead>
              <tr>
                <th>Overdue</th>
                <th className="end">Open</th>
                <th>Required by</th>
              </tr>
            </thead>
            <tbody>
              {overdue.items.map((requirement) => (
                <tr key={requirement.id}>
                  <td>
                    <Link href={paths.requirement(requirement.id)}>
                      <PartNumber number={requirement.itemNumber} />
                    </Link>{' '}
                    <span className="muted">{requirement.itemName}</span>
                  </td>
                  <td className="end">
                    <Quantity value={requirement.openQty} />
                  </td>
                  <td>
                    <Due date={requirement.requiredBy} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {overdue.count > overdue.items.length && (
          <p className={styles.nothing}>
            <Link href={paths.requirements({ status: 'open', requiredBefore: today() })}>
              All {quantityText(overdue.count)}
              {overdue.isAtLeast && ' and more'} overdue
            </Link>
          </p>
        )}
      </Sheet>
    </div>
  );
}

function isWorthSaying(line: Overview['waitingBatches']): boolean {
  return line.isFull || standsStill(line);
}

/** A line that is full, or whose first batch stands still: what is sent is refused, or waits with it. */
function Line({ overview: { waitingBatches: line, paused } }: { overview: Overview }) {
  const { first, count, isAtLeast, isFull } = line;
  if (first === null || !isWorthSaying(line)) return null;
  const isPaused = paused.some(({ work }) => work === 'batch');
  return (
    <p className={styles.refused}>
      <strong className="bad">
        {countText(count, 'batch', 'batches')}
        {isAtLeast && ' and more'} in line
        {isFull && ': no more are accepted'}
        {!isPaused && standsStill(line) && (
          <>
            , and the first has not got on since <Moment at={first.movedAt} />
          </>
        )}
      </strong>
      <Link href={paths.batch(first.batchId)}>See the first</Link>
    </p>
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
