/** Lists what needs attention: paused, stuck, failing, rejected or overdue work. Each line links to the place where it can be fixed. */
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
import styles from './overview.module.css';

export function Attention({ overview }: { overview: Overview }) {
  const { failedRuns, failedBatches, failingWebhooks, failingWebhookCount, paused, rejected } = overview;
  const { toCome, toGo } = overview.overdueLines;
  const overdue = overview.overdueRequirements;
  const failures = rejected.count + failedBatches.count + failedRuns.count + failingWebhookCount;
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

/** The number of rows that are shown of each kind; the linked list has all. */
const ROWS_MAX = 5;

function OverdueLines({
  lines,
  what: [one, many],
  from,
  href,
}: {
  lines: Overview['overdueLines']['toCome'];
  what: readonly [one: string, many: string];
  from: string;
  href: string;
}) {
  if (lines.count === 0) return lines.isAtLeast ? <Unsure what={many} href={href} /> : null;
  const hasFrom = lines.items.some(({ supplier }) => supplier !== null);
  return (
    <Problem
      title={`${countText(lines.count, one, many)}${lines.isAtLeast ? ' or more' : ''}`}
      link={<Link href={href}>View {many}</Link>}
    >
      <Rows
        heads={['Item', ...(hasFrom ? [from] : []), 'Open', 'Required by']}
        numeric="Open"
        items={lines.items.slice(0, ROWS_MAX)}
        keyOf={({ id }) => id}
        cells={(line) => (
          <>
            <ItemCell number={line.itemNumber} name={line.itemName} href={paths.order(line.orderId)} />
            {hasFrom && <td className={styles.from}>{line.supplier ?? '–'}</td>}
            <OpenCells openQty={line.openQty} requiredBy={line.requiredBy} />
          </>
        )}
      />
    </Problem>
  );
}

function OverdueRequirements({ overdue }: { overdue: Overview['overdueRequirements'] }) {
  const href = paths.requirements({ overdue: 'true' });
  if (overdue.count === 0)
    return overdue.isAtLeast ? <Unsure what="overdue requirements" href={href} /> : null;
  return (
    <Problem
      title={`${countText(overdue.count, 'overdue requirement')}${overdue.isAtLeast ? ' or more' : ''}`}
      link={<Link href={href}>View overdue requirements</Link>}
    >
      <Rows
        heads={['Item', 'Open', 'Required by']}
        numeric="Open"
        items={overdue.items.slice(0, ROWS_MAX)}
        keyOf={({ id }) => id}
        cells={(one) => (
          <>
            <ItemCell number={one.itemNumber} name={one.itemName} href={paths.requirement(one.id)} />
            <OpenCells openQty={one.openQty} requiredBy={one.requiredBy} orderedFor={one.orderedFor} />
          </>
        )}
      />
    </Problem>
  );
}

/** Says that not all open ones were counted, and none of the counted ones is overdue. */
function Unsure({ what, href }: { what: string; href: string }) {
  return (
    <p className={styles.nothing}>
      There are too many open ones to check all of them here. <Link href={href}>View {what}</Link>
    </p>
  );
}

function ItemCell({ number, name, href }: { number: string | null; name: string; href: string }) {
  return (
    <td className={styles.late}>
      <Link href={href}>
        <PartNumber number={number} />
      </Link>{' '}
      <span className="muted">{name}</span>
    </td>
  );
}

function OpenCells({
  openQty,
  requiredBy,
  orderedFor = null,
}: {
  openQty: number;
  requiredBy: string | null;
  orderedFor?: string | null;
}) {
  return (
    <>
      <td className="end">
        <Quantity value={openQty} />
      </td>
      <td>
        <span className={`${styles.day} bad`}>{requiredBy === null ? '–' : dayText(requiredBy)}</span>
        {orderedFor !== null && <span className="muted"> (ordered for {dayText(orderedFor)})</span>}
      </td>
    </>
  );
}

function Problem({ title, link, children }: { title: string; link?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.problem} aria-label={title}>
      <p className={styles.problemHead}>
        <strong className="bad">{title}</strong>
        {link}
      </p>
      {children}
    </section>
  );
}

interface RowsShown<Item> {
  heads: readonly string[];
  /** The head of the column of numbers. */
  numeric?: string;
  items: readonly Item[];
  keyOf(item: Item): string;
  cells(item: Item): ReactNode;
}

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
