/** What still comes and goes of an item, in the order of time, and when it does not suffice any more. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { ItemDemand } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Asked } from '../components/dialogs/asked.tsx';
import { DataGrid } from '../components/lists/data-grid.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { EmptyState, GridSheet, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { dayText, PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { isItem, useAskedCategories } from '../entities/configuration.ts';
import { useEntity } from '../entities/use-entity.ts';
import { paths } from '../navigation/paths.ts';
import { ItemCost } from './item-cost.tsx';
import { ItemForecasts } from './item-forecasts.tsx';
import { ItemPlanning } from './item-planning.tsx';
import { ItemPromise } from './item-promise.tsx';
import { ItemRollup } from './item-rollup.tsx';
import { LineDialog } from './lines/line-dialog.tsx';
import { orderTypeText } from './orders/order-words.tsx';
import styles from './procurement.module.css';
import { RequirementsGrid } from './requirements/requirements-grid.tsx';
import { SupplierParts } from './suppliers/supplier-parts.tsx';

type Entry = ItemDemand['entries'][number];

export function DemandTab() {
  const { entity } = useEntity();
  const known = useAskedCategories();
  const category = known.data?.find(({ key }) => key === entity.category);
  if (category === undefined) return <Asked of={known}>{() => <Waiting />}</Asked>;
  if (category.role === 'project') {
    return (
      <GridSheet>
        <RequirementsGrid projectId={entity.id} />
      </GridSheet>
    );
  }
  if (!isItem(category)) {
    return (
      <EmptyState title="It is not kept in stock">
        Nothing is needed or ordered of a {category.name.toLowerCase()}.
      </EmptyState>
    );
  }
  return <OfItem />;
}

function OfItem() {
  const { entity } = useEntity();
  const mayOrder = useMay('procurement');
  const [ordering, setOrdering] = useState(false);
  const query = useQuery(ask('getItemDemand', { id: entity.id }));
  if (query.isError && query.data === undefined)
    return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <Waiting lines={6} />;
  const demand = query.data;
  return (
    <>
      <Verdict demand={demand} />
      <Sheet
        title="What comes and goes"
        actions={
          mayOrder && (
            <Button variant="default" onClick={() => setOrdering(true)}>
              Order
            </Button>
          )
        }
        flush
      >
        <DataGrid
          label="What comes and goes"
          columns={columns}
          rows={rowsOf(demand)}
          rowKey={({ id }) => id}
          hrefOf={({ href }) => href}
          heightMax={720}
        />
        {demand.isPartial && (
          <p className={styles.nothing}>There are more than are shown: only the newest were looked at.</p>
        )}
      </Sheet>
      <ItemPromise itemId={entity.id} />
      <ItemPlanning itemId={entity.id} mayWrite={mayOrder} />
      <ItemForecasts itemId={entity.id} mayWrite={mayOrder} />
      <SupplierParts
        of={{ item: { id: entity.id, number: entity.number, name: entity.name } }}
        mayWrite={mayOrder}
      />
      <ItemCost itemId={entity.id} />
      <ItemRollup itemId={entity.id} />
      {ordering && (
        <LineDialog
          order={null}
          item={{ id: entity.id, number: entity.number, name: entity.name }}
          quantity={demand.shortBy > 0 ? demand.shortBy : undefined}
          onClose={() => setOrdering(false)}
        />
      )}
    </>
  );
}

function Verdict({ demand }: { demand: ItemDemand }) {
  const { entries, shortBy, shortFrom } = demand;
  if (shortBy > 0) {
    return (
      <p className={styles.short} role="status">
        <strong>{quantityText(shortBy)} short</strong>
        {shortFrom === null ? ', on a day that nobody has named' : ` from ${dayText(shortFrom)} on`}, when all
        that comes and goes below is counted.
      </p>
    );
  }
  return (
    <p className={styles.enough} role="status">
      {entries.length === 0
        ? 'Nothing needs it, and nothing is on order.'
        : 'What is available and on order covers all that is known to be needed.'}
    </p>
  );
}

interface Row {
  id: string;
  href: string | null;
  when: ReactNode;
  what: ReactNode;
  project: string | null;
  quantity: number | null;
  after: number;
}

const kindText = (kind: Entry['kind']) => (kind === 'requirement' ? 'Requirement' : orderTypeText(kind));

/** What there is now comes first; the rest is counted on from it. */
function rowsOf(demand: ItemDemand): Row[] {
  const now: Row = {
    id: 'now',
    href: null,
    when: 'Now',
    what: `${quantityText(demand.onHand)} on hand, ${quantityText(demand.reserved)} reserved`,
    project: null,
    quantity: null,
    after: demand.available,
  };
  const later = demand.entries.map((entry): Row => {
    const isNeed = entry.kind === 'requirement';
    return {
      id: `${entry.id} ${entry.requiredBy}`,
      href: isNeed ? paths.requirement(entry.id) : paths.order(entry.forId ?? entry.id),
      when: entry.requiredBy === null ? 'no day' : dayText(entry.requiredBy),
      what: (
        <>
          {kindText(entry.kind)} <PartNumber number={isNeed ? entry.number : entry.forNumber} />
        </>
      ),
      project: isNeed ? entry.forNumber : null,
      quantity: entry.quantity,
      after: entry.availableAfter,
    };
  });
  return [now, ...later];
}

const columns: readonly GridColumn<Row>[] = [
  { key: 'what', header: 'What', width: 220, grow: 1, phone: 'title', cell: ({ what }) => what },
  { key: 'when', header: 'When', width: 96, phone: 'detail', cell: ({ when }) => when },
  {
    key: 'for',
    header: 'For',
    width: 96,
    phone: 'detail',
    cell: ({ project }) => project !== null && <PartNumber number={project} />,
  },
  {
    key: 'quantity',
    header: 'Comes or goes',
    width: 100,
    align: 'end',
    phone: 'side',
    cell: ({ quantity }) => quantity !== null && quantityText(quantity, true),
  },
  {
    key: 'after',
    header: 'Available after',
    width: 100,
    align: 'end',
    phone: 'side',
    cell: ({ after }) => (
      <strong>
        <Quantity value={after} />
      </strong>
    ),
  },
];
