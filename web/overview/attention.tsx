/** What needs somebody: held back, standing still, failing, refused, overdue; each leads to where it is mended. */
import { standsStill } from '../batches/stands-still.ts';
import type { Overview } from '../client/operations.ts';
import { Sheet } from '../components/page-frame.tsx';
import { PausedText } from '../components/paused-notice.tsx';
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
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { RefusedIn } from './latest-batches.tsx';
import styles from './overview.module.css';

/** What is held back or stands still, what fails, what is overdue: nothing where all is well. */
export function Attention({ overview }: { overview: Overview }) {
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
            <PausedText paused={one} line={overview.waitingBatches} />
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
