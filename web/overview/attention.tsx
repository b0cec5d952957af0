/** What needs somebody: held back, standing still, failing, refused, overdue; each leads to where it is mended. */
import type { ReactNode } from 'react';
import type { Overview } from '../client/operations.ts';
import { Sheet } from '../components/page-frame.tsx';
import { PausedText } from '../components/paused-notice.tsx';
import {
  countText,
  dayText,
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
  const {
    overdueRequirements: overdue,
    failedRuns,
    failingWebhooks,
    failingWebhookCount,
    failedBatches,
    paused,
  } = overview;
  const { toCome, toGo } = overview.overdueLines;
  const refused = overview.hours.reduce((sum, { errors }) => sum + errors, 0);
  const fails = refused + failedBatches.count + failedRuns.count + failingWebhookCount;
  const late = overdue.count + toCome.count + toGo.count;
  // Of more than were looked at one may be late all the same.
  const isSure = ![overdue, toCome, toGo].some(({ isAtLeast }) => isAtLeast);
  const isWell =
    fails === 0 && late === 0 && isSure && paused.length === 0 && !isWorthSaying(overview.waitingBatches);
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
        <Rows
          heads={['Batch', 'Why it failed', 'At']}
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
        <Rows
          heads={['Automation', 'What it said', 'Failed']}
          numeric="Failed"
          items={failedRuns.automations}
          keyOf={(one) => one.automationId}
          cells={(one) => (
            <>
              <td>
                <Link href={paths.automation(one.automationId)}>{one.name}</Link>
              </td>
              <td className={styles.said}>
                <Link href={paths.automationRun(one.lastRunId)}>{one.message ?? 'See the run'}</Link>
              </td>
              <td className="end bad">{quantityText(one.failed)}</td>
            </>
          )}
        />
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
                  <StatusWord tone="bad">switched off</StatusWord>
                )}
              </td>
            </>
          )}
        />
        {failingWebhookCount > failingWebhooks.length && (
          <p className={styles.nothing}>
            <Link href={paths.settings('webhooks')}>
              {quantityText(failingWebhookCount)} webhooks fail: see all
            </Link>
          </p>
        )}
        <OverdueLines lines={toCome} what="that should have come" href={paths.overdueLines(today())} />
        <OverdueLines lines={toGo} what="that should have gone" href={paths.overdueShipments(today())} />
        <Rows
          heads={['Overdue requirement', 'Open', 'Required by']}
          numeric="Open"
          items={overdue.items}
          keyOf={(one) => one.id}
          cells={(one) => <OverdueCells of={one} href={paths.requirement(one.id)} aside={one.itemName} />}
        />
        {overdue.count === 0 && overdue.isAtLeast && (
          <Unsure
            what="overdue requirements"
            href={paths.requirements({ status: 'open', requiredBefore: today() })}
          />
        )}
        {overdue.count > overdue.items.length && (
          <p className={styles.nothing}>
            <Link href={paths.requirements({ status: 'open', requiredBefore: today() })}>
              All {quantityText(overdue.count)}
              {overdue.isAtLeast && ' and more'} overdue requirements
            </Link>
          </p>
        )}
      </Sheet>
    </div>
  );
}

/** So many are named; the list behind them has all. */
const LINES_NAMED_MAX = 5;

/** Lines of orders whose day is past: how many, which is the list that they lead to, and the longest overdue. */
function OverdueLines({
  lines: { count, isAtLeast, items },
  what,
  href,
}: {
  lines: Overview['overdueLines']['toCome'];
  what: string;
  href: string;
}) {
  if (count === 0) return isAtLeast ? <Unsure what={`order lines ${what}`} href={href} /> : null;
  return (
    <>
      <p className={styles.refused}>
        <strong className="bad">
          {countText(count, 'order line')}
          {isAtLeast && ' and more'} {what}
        </strong>
        <Link href={href}>{count === 1 && !isAtLeast ? 'See it' : 'See all'}</Link>
      </p>
      <Rows
        heads={['Item', 'Open', 'Required by']}
        numeric="Open"
        items={items.slice(0, LINES_NAMED_MAX)}
        keyOf={(one) => one.id}
        cells={(one) => (
          <OverdueCells of={one} href={paths.order(one.orderId)} aside={one.supplier ?? one.itemName} />
        )}
      />
    </>
  );
}

/** Of so many only the oldest are looked at each time, and none of these is. */
function Unsure({ what, href }: { what: string; href: string }) {
  return (
    <p className={styles.nothing}>
      There are too many open ones to look at all of them here. <Link href={href}>See {what}</Link>
    </p>
  );
}

/** Of what item, how many are open, and since when it is late: that it is stands above all of them. */
function OverdueCells({
  of: { itemNumber, openQty, requiredBy },
  href,
  aside,
}: {
  of: { itemNumber: string | null; openQty: number; requiredBy: string | null };
  href: string;
  aside: string;
}) {
  return (
    <>
      <td className={styles.late}>
        <Link href={href}>
          <PartNumber number={itemNumber} />
        </Link>{' '}
        <span className="muted">{aside}</span>
      </td>
      <td className="end">
        <Quantity value={openQty} />
      </td>
      <td>
        <span className={`${styles.day} bad`}>{requiredBy === null ? '–' : dayText(requiredBy)}</span>
      </td>
    </>
  );
}

interface RowsShown<Item> {
  heads: readonly string[];
  /** The head of figures. */
  numeric?: string;
  items: readonly Item[];
  keyOf(item: Item): string;
  cells(item: Item): ReactNode;
}

/** What is of one kind; nothing where none is. */
function Rows<Item>({ heads, numeric, items, keyOf, cells }: RowsShown<Item>) {
  if (items.length === 0) return null;
  return (
    <table>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} className={head === numeric ? 'end' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((one) => (
          <tr key={keyOf(one)}>{cells(one)}</tr>
        ))}
      </tbody>
    </table>
  );
}

function isWorthSaying(line: Overview['waitingBatches']): boolean {
  return line.isFull || line.first?.standsStill === true;
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
        {!isPaused && first.standsStill && (
          <>
            , and the first has not got on since <Moment at={first.movedAt} />
          </>
        )}
      </strong>
      <Link href={paths.batch(first.batchId)}>See the first</Link>
    </p>
  );
}
