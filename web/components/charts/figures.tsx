/** A strip of figures that the head of a page shows: name above, figure below, each a link where it leads further. */
import type { ReactNode } from 'react';
import { Link } from '../../navigation/link.tsx';
import styles from './figures.module.css';

export interface Figure {
  label: string;
  /** Null while it is on its way: its place is held. */
  value: ReactNode;
  href?: string;
  /** A line of small print. */
  note?: ReactNode;
  tone?: 'bad' | 'warn';
}

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ label, value, href, note, tone }) => (
        <div key={label} className={styles.figure}>
          <dt>{label}</dt>
          <dd className={tone === undefined ? undefined : styles[tone]}>
            {value === null ? (
              <span className={styles.waiting} role="status" aria-label="Loading" />
            ) : href === undefined ? (
              value
            ) : (
              <Link href={href}>{value}</Link>
            )}
            {note !== undefined && value !== null && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
