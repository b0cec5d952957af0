/** Lists what needs attention: paused, stuck, failing, rejected or overdue work. Each line links to the place where it can be fixed. */
import type { Overview } from '../client/operations.ts';
import { Sheet } from '../components/page-frame.tsx';
import { PausedText } from '../components/paused-notice.tsx';
import { countText, Moment, quantityText, StatusWord, today } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { OverdueLines, OverdueRequirements } from './overdue.tsx';
import styles from './overview.module.css';
import { Problem, Rows } from './problem.tsx';

export function Attention({ overview }: { overview: Overview }) {
  const { failedRuns, failedBatches, failingWebhooks, failingWebhookCount, paused, rejected } = overview;
  const { lateSchedules, failedMails } = overview;
  const { toCome, toGo } = overview.overdueLines;
  const overdue = overview.overdueRequirements;
  const failures =
    rejected.count +
    failedBatches.count +
    failedRuns.count +
    failingWebhookCount +
    lateSchedules.count +
    failedMails.count;
  const late = overdue.count + toCome.count + toGo.count;
  // When more open ones exist than were counted, one of the others may be overdue.
  const isSure = ![overdue, toCome, toGo].some(({ isAtLeast }) => isAtLeast);
  const isWell =
    failures === 0 && late === 0 && isSure && paused.length === 0 && !isStuck(overview.waitingBatches);
  return (
    <Sheet title="Needs attention" flush>
      {isWell && <p className={styles.nothing}>Nothing is overdue and nothing has failed.</p>}
      {paused.map((one) => (
        <p key={one.work} className={styles.held} role="status">
          <PausedText paused={one} line={overview.waitingBatches} />
        </p>
      ))}
      <Queue overview={overview} />
      <div className={styles.problems}>
        {failedBatches.count > 0 && (
          <Problem
            title={`${countText(failedBatches.count, 'import')}${failedBatches.isAtLeast ? ' or more' : ''} failed`}
            link={<Link href={paths.batches({ status: 'failed' })}>View failed imports</Link>}
          >
            <Rows
              heads={['Import', 'Last error', 'Time']}
              items={failedBatches.items}
              keyOf={(one) => one.batchId}
              cells={(one) => (
                <>
                  <td>
                    <Link href={paths.batch(one.batchId)}>{one.profileName}</Link>
                  </td>
                  <td className={styles.said}>{one.message}</td>
                  <td>
                    <Moment at={one.failedAt} />
                  </td>
                </>
              )}
            />
          </Problem>
        )}
        {rejected.count > 0 && (
          <Problem title={`${countText(rejected.count, 'item')} rejected`}>
            <Rows
              heads={['Import', 'Rejected']}
              numeric="Rejected"
              items={rejected.batches}
              keyOf={(one) => one.batchId}
              cells={(one) => (
                <>
                  <td>
                    <Link href={paths.batch(one.batchId, { result: 'error' })}>{one.profileName}</Link>
                  </td>
                  <td className="end bad">{quantityText(one.count)}</td>
                </>
              )}
            />
            {rejected.batchCount > rejected.batches.length && (
              <p className={styles.nothing}>
                <Link href={paths.batches()}>All {quantityText(rejected.batchCount)} imports</Link>
              </p>
            )}
          </Problem>
        )}
        {failedRuns.count > 0 && (
          <Problem
            title={`${countText(failedRuns.count, 'automation run')}${failedRuns.isAtLeast ? ' or more' : ''} failed`}
            link={<Link href={paths.automationRuns({ status: 'failed' })}>View failed runs</Link>}
          >
            <Rows
              heads={['Automation', 'Last error', 'Failed']}
              numeric="Failed"
              items={failedRuns.automations}
              keyOf={(one) => one.automationId}
              cells={(one) => (
                <>
                  <td>
                    <Link href={paths.automation(one.automationId)}>{one.name}</Link>
                  </td>
                  <td className={styles.said}>
                    <Link href={paths.automationRun(one.lastRunId)}>{one.message ?? 'View run'}</Link>
                  </td>
                  <td className="end bad">{quantityText(one.failed)}</td>
                </>
              )}
            />
          </Problem>
        )}
        {lateSchedules.count > 0 && (
          <Problem
            title={`${countText(lateSchedules.count, 'automation')} not watching`}
            link={<Link href={paths.automations()}>View automations</Link>}
          >
            <Rows
              heads={['Automation', 'Due or problem']}
              items={lateSchedules.items}
              keyOf={(one) => one.automationId}
              cells={(one) => (
                <>
                  <td>
                    <Link href={paths.automation(one.automationId)}>{one.name}</Link>
                  </td>
                  <td>
                    {one.message !== null ? (
                      <span className="bad">{one.message}</span>
                    ) : one.nextRunAt === null ? (
                      <StatusWord tone="bad">stopped</StatusWord>
                    ) : (
                      <Moment at={one.nextRunAt} />
                    )}
                  </td>
                </>
              )}
            />
          </Problem>
        )}
        {failedMails.count > 0 && (
          <Problem
            title={`${countText(failedMails.count, 'mail')}${failedMails.isAtLeast ? ' or more' : ''} not sent`}
            link={
              failedMails.lastRunId !== null && (
                <Link href={paths.automationRun(failedMails.lastRunId)}>View the last run</Link>
              )
            }
          >
            <p className={styles.nothing}>{failedMails.message}</p>
          </Problem>
        )}
        {failingWebhookCount > 0 && (
          <Problem
            title={`${countText(failingWebhookCount, 'webhook')} failing`}
            link={<Link href={paths.settings('webhooks')}>View webhooks</Link>}
          >
            <Rows
              heads={['Webhook', 'Failing since']}
              items={failingWebhooks}
              keyOf={(one) => one.webhookId}
              cells={(one) => (
                <>
                  <td className={styles.said}>
                    <Link href={paths.settings('webhooks', one.webhookId)}>{one.url}</Link>
                  </td>
                  <td>
                    {one.enabled ? (
                      <Moment at={one.failingSince} />
                    ) : (
                      <StatusWord tone="bad">disabled</StatusWord>
                    )}
                  </td>
                </>
              )}
            />
          </Problem>
        )}
        <OverdueLines
          lines={toCome}
          what={['overdue delivery', 'overdue deliveries']}
          from="Supplier"
          href={paths.overdueLines(today())}
        />
        <OverdueLines
          lines={toGo}
          what={['overdue shipment', 'overdue shipments']}
          from="Customer"
          href={paths.overdueShipments(today())}
        />
        <OverdueRequirements overdue={overdue} />
      </div>
    </Sheet>
  );
}

function isStuck(line: Overview['waitingBatches']): boolean {
  return line.isFull || line.first?.standsStill === true;
}

/** Warns when the queue of imports is full, or its first import makes no progress. */
function Queue({ overview: { waitingBatches: line, paused } }: { overview: Overview }) {
  const { first, count, isAtLeast, isFull } = line;
  if (first === null || !isStuck(line)) return null;
  const isPaused = paused.some(({ work }) => work === 'batch');
  return (
    <p className={styles.problemHead}>
      <strong className="bad">
        {countText(count, 'import')}
        {isAtLeast && ' or more'} queued
        {isFull && ': no more are accepted'}
        {!isPaused && first.standsStill && (
          <>
            , no progress since <Moment at={first.movedAt} />
          </>
        )}
      </strong>
      <Link href={paths.batch(first.batchId)}>View the first</Link>
    </p>
  );
}
