/** Overdue order lines and requirements of the overview: the first of each kind, with a link to all. */
import type { Overview } from '../client/operations.ts';
import { countText, dayText, PartNumber, Quantity } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './overview.module.css';
import { Problem, Rows } from './problem.tsx';

/** The number of rows that are shown of each kind; the linked list has all. */
const ROWS_MAX = 5;

export function OverdueLines({
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

export function OverdueRequirements({ overdue }: { overdue: Overview['overdueRequirements'] }) {
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
