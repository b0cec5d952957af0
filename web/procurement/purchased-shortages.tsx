/** What a project is short of and that is bought: by supplier, or in one list in the order of a column. */
import { Button } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { Shortage } from '../client/operations.ts';
import { countText } from '../components/words.tsx';
import styles from './procurement.module.css';
import { ShortageGrid, withoutSupplier } from './shortage-grid.tsx';

/** More lists than these would keep the page busy: suppliers then follow one another in one list. */
const LISTS_MAX = 25;
const GROUP_HEIGHT_MAX = 420;

type Grid = Omit<ComponentProps<typeof ShortageGrid>, 'label' | 'rows' | 'heightMax'>;

interface PurchasedShortagesProps {
  rows: readonly Shortage[];
  isGrouped: boolean;
  grid: Grid;
  mayOrder: boolean;
}

export function PurchasedShortages({ rows, isGrouped, grid, mayOrder }: PurchasedShortagesProps) {
  const groups = isGrouped ? bySupplier(rows) : [];
  if (groups.length === 0 || groups.length > LISTS_MAX)
    return (
      <ShortageGrid
        {...grid}
        label="Shortages"
        rows={isGrouped ? groups.flatMap(({ items }) => items) : rows}
        heightMax={640}
      />
    );
  return groups.map(({ supplier, items }) => {
    const short = items.filter(({ shortageQty }) => shortageQty > 0);
    const { onSupply } = grid;
    return (
      <section key={supplier ?? ''} aria-label={supplier ?? NO_SUPPLIER}>
        <div className={styles.group}>
          <h3>{supplier ?? NO_SUPPLIER}</h3>
          <span className="muted">{countText(items.length, 'item')}</span>
          {mayOrder && onSupply !== null && supplier !== null && short.length > 1 && (
            <Button size="xs" variant="default" className="no-print" onClick={() => onSupply(short, 'order')}>
              {`Order ${countText(short.length, 'item')}`}
            </Button>
          )}
        </div>
        <ShortageGrid
          {...grid}
          label={`Shortages: ${supplier ?? NO_SUPPLIER}`}
          rows={items}
          // The heading names the supplier.
          columns={withoutSupplier(grid.columns)}
          heightMax={GROUP_HEIGHT_MAX}
        />
      </section>
    );
  });
}

const NO_SUPPLIER = 'No supplier';

/** Suppliers in the order of their names; last, what nobody sells. */
export function bySupplier(
  rows: readonly Shortage[],
): readonly { supplier: string | null; items: readonly Shortage[] }[] {
  const groups = [...Map.groupBy(rows, ({ supplier }) => supplier)];
  const names = new Intl.Collator(undefined, { sensitivity: 'base' });
  return groups
    .toSorted(([a], [b]) => (a === null ? 1 : b === null ? -1 : names.compare(a, b)))
    .map(([supplier, items]) => ({ supplier, items }));
}
