/** One field that changes: its name, what it was (if anything) struck out, and what it becomes. */
import type { ReactNode } from 'react';
import styles from './changed-value.module.css';

interface ChangedValueProps {
  name: string;
  was: ReactNode;
  is: ReactNode;
  children?: ReactNode;
}

export function ChangedValue({ name, was, is, children }: ChangedValueProps) {
  return (
    <span className={styles.change}>
      <span className="muted">{name}</span>
      {was !== null && <span className={styles.was}>{was}</span>}
      <span className={styles.is}>{is}</span>
      {children}
    </span>
  );
}
