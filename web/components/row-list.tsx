/** A short list: a name, what is known of it, and its buttons. */
import type { ReactNode } from 'react';
import { type RowAction, RowActions } from './lists/row-actions.tsx';
import styles from './row-list.module.css';

interface Row {
  key: string;
  name: ReactNode;
  detail: ReactNode;
  actions: readonly RowAction[];
}

export function RowList({ label, rows, none }: { label: string; rows: readonly Row[]; none: string }) {
  if (rows.length === 0) return <p className="muted">{none}</p>;
  return (
    <ul className={styles.rows} aria-label={label}>
      {rows.map(({ key, name, detail, actions }) => (
        <li key={key}>
          <div className={styles.text}>
            <span>{name}</span>
            <span className="muted">{detail}</span>
          </div>
          <div className={styles.actions}>
            <RowActions actions={actions} />
          </div>
        </li>
      ))}
    </ul>
  );
}
