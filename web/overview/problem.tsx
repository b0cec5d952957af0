/** A problem of the overview: its title, the page where it can be fixed, and the first rows. */
import type { ReactNode } from 'react';
import styles from './overview.module.css';

export function Problem({ title, link, children }: { title: string; link?: ReactNode; children: ReactNode }) {
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

/** Shows the rows as a table; nothing where there are none. */
export function Rows<Item>({ heads, numeric, items, keyOf, cells }: RowsShown<Item>) {
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
