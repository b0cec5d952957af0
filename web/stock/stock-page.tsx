/** Where a storekeeper begins: scan or type anything, adjust, count, print labels; the locations below. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Category } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Asked } from '../components/dialogs/asked.tsx';
import { Icon } from '../components/icons.tsx';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet, PageFrame, Sheet } from '../components/page-frame.tsx';
import { isLocation, useAskedCategories } from '../entities/configuration.ts';
import { EntityPicker } from '../entities/entity-picker.tsx';
import { entityColumns } from '../entities/lists/entity-columns.tsx';
import { Link, useGo } from '../navigation/link.tsx';
import { useOpenedAt } from '../navigation/opened-at.ts';
import { paths } from '../navigation/paths.ts';
import { AdjustDialog } from './adjust-dialog.tsx';
import { AdjustManyDialog } from './adjust-many-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { ScanDialog } from './scanning/scan-dialog.tsx';
import styles from './stock.module.css';
import { StockTabs } from './stock-tabs.tsx';

export function StockPage() {
  const go = useGo();
  const openedAt = useOpenedAt();
  const mayMoveStock = useMay('stock');
  const [dialog, setDialog] = useState<'adjust' | 'many' | 'move' | 'scan' | null>(null);
  return (
    <PageFrame
      title="Stock"
      actions={
        <>
          <Button variant="default" leftSection={<Icon name="scan" />} onClick={() => setDialog('scan')}>
            Scan
          </Button>
          {mayMoveStock && (
            <>
              <Button variant="default" onClick={() => setDialog('move')}>
                Move
              </Button>
              <Button variant="default" onClick={() => setDialog('many')}>
                Adjust several
              </Button>
              <Button onClick={() => setDialog('adjust')}>Adjust</Button>
            </>
          )}
        </>
      }
    >
      <StockTabs current="locations" />
      <div className={styles.ways}>
        <Sheet title="Find stock">
          <EntityPicker
            label="Item, location or order"
            description="Scan or type a number to open it"
            value={null}
            onPick={(entity) => entity !== null && go(openedAt(entity, true))}
          />
        </Sheet>
        <Sheet title="More">
          <div className={styles.column}>
            {mayMoveStock && <Link href={paths.stockPage('count')}>Count a location</Link>}
            <Link href={paths.stockPage('count-tasks')}>Counts to do</Link>
            <Link href={paths.stockPage('labels')}>Print labels</Link>
          </div>
        </Sheet>
      </div>
      <GridSheet>
        <Asked of={useAskedCategories()}>
          {(categories) => <Locations categories={categories.filter(isLocation)} />}
        </Asked>
      </GridSheet>
      {dialog === 'adjust' && <AdjustDialog item={null} location={null} onClose={() => setDialog(null)} />}
      {dialog === 'move' && <MoveDialog item={null} from={null} onClose={() => setDialog(null)} />}
      {dialog === 'many' && <AdjustManyDialog onClose={() => setDialog(null)} />}
      {dialog === 'scan' && <ScanDialog onClose={() => setDialog(null)} />}
    </PageFrame>
  );
}

function Locations({ categories }: { categories: readonly Category[] }) {
  const mayCreate = useMay('engineering');
  const [first] = categories;
  if (first === undefined) {
    return (
      <EmptyState title="No category is a location">
        An administrator gives a category the role of a location under Settings.
      </EmptyState>
    );
  }
  return (
    <List
      label="Locations"
      noun={['location', 'locations']}
      name="listEntities"
      input={{ query: { category: first.key } }}
      search={{ key: 'q', placeholder: 'Location' }}
      filters={
        categories.length > 1
          ? [
              {
                key: 'category',
                label: 'Category',
                options: categories.map(({ key, name }) => ({ value: key, label: name })),
              },
            ]
          : []
      }
      rowKey={({ id }) => id}
      hrefOf={({ id }) => paths.entity(id, 'stock')}
      nameOf={({ number, name }) => `${number ?? ''} ${name}`}
      heightMax={560}
      columns={entityColumns('Location')}
      empty={
        <EmptyState
          title="No locations yet"
          action={mayCreate && <Link href={paths.entities({ new: '1' })}>Make one</Link>}
        >
          Stock lies at locations: warehouses, shelves, bins.
        </EmptyState>
      }
    />
  );
}
