/** Stock of an item, or at a location: positions, on hand over time, the ledger. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Entity, StockPosition } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Asked } from '../components/dialogs/asked.tsx';
import { Icon } from '../components/icons.tsx';
import { EmptyState, GridSheet, Sheet, Waiting } from '../components/page-frame.tsx';
import { isItem, isLocation, useAskedCategories } from '../entities/configuration.ts';
import type { PickedEntity } from '../entities/entity-picker.tsx';
import { useEntity } from '../entities/use-entity.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { AdjustDialog } from './adjust-dialog.tsx';
import { ItemUnits } from './item-units.tsx';
import { LedgerGrid } from './ledger-grid.tsx';
import { LocationPlace } from './location-place.tsx';
import { ItemLots } from './lots/item-lots.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { PositionsGrid } from './positions-grid.tsx';
import styles from './stock.module.css';
import { ItemValue } from './value/item-value.tsx';

const OnHandHistory = lazy(async () => ({ default: (await import('./on-hand-history.tsx')).OnHandHistory }));

export function StockTab() {
  const { entity } = useEntity();
  const known = useAskedCategories();
  const category = known.data?.find(({ key }) => key === entity.category);
  if (category === undefined) return <Asked of={known}>{() => <Waiting />}</Asked>;
  const item = isItem(category);
  const location = isLocation(category);
  if (!item && !location) {
    return (
      <EmptyState title="It is neither an item nor a location">
        What the category {category.name} stands for is said in its role, under Settings.
      </EmptyState>
    );
  }
  return (
    <>
      {item && <StockSide key={`item ${entity.id}`} entity={entity} as="item" />}
      {location && <StockSide key={`location ${entity.id}`} entity={entity} as="location" />}
    </>
  );
}

function StockSide({ entity, as }: { entity: Entity; as: 'item' | 'location' }) {
  const mayMoveStock = useMay('stock');
  const [adjusting, setAdjusting] = useState<{
    item: PickedEntity | null;
    location: PickedEntity | null;
  } | null>(null);
  const [moving, setMoving] = useState(false);
  const of = as === 'item' ? { item: entity.id } : { location: entity.id };
  const bare = { id: entity.id, number: entity.number, name: entity.name };
  const begin = () =>
    setAdjusting(as === 'item' ? { item: bare, location: null } : { item: null, location: bare });
  const adjustOf = (position: StockPosition) =>
    setAdjusting({
      item: { id: position.itemEntityId, number: position.itemNumber, name: position.itemName },
      location: {
        id: position.locationEntityId,
        number: position.locationNumber,
        name: position.locationName,
      },
    });
  return (
    <>
      {as === 'location' && <LocationPlace location={entity} />}
      <GridSheet>
        <PositionsGrid
          of={of}
          onAdjust={mayMoveStock ? adjustOf : undefined}
          tools={
            <>
              {as === 'location' && mayMoveStock && (
                <Link href={paths.stockPage('count', { location: entity.id })} className={styles.tool}>
                  Count
                </Link>
              )}
              <Link href={paths.stockPage('labels', { ids: entity.id })} className={styles.tool}>
                Label
              </Link>
              {mayMoveStock && (
                <Button variant="default" onClick={() => setMoving(true)}>
                  Move
                </Button>
              )}
              {mayMoveStock && (
                <Button leftSection={<Icon name="add" size={14} />} onClick={begin}>
                  Adjust
                </Button>
              )}
            </>
          }
          empty={
            <EmptyState
              title={as === 'item' ? 'Not in stock' : 'No stock here'}
              action={mayMoveStock && <Button onClick={begin}>Add stock</Button>}
            />
          }
        />
      </GridSheet>
      {as === 'item' && <ItemUnits itemId={entity.id} />}
      {as === 'item' && <ItemValue item={bare} />}
      {as === 'item' && <ItemLots itemId={entity.id} />}
      <Sheet title="On hand over time">
        <Suspense fallback={<Waiting lines={4} />}>
          <OnHandHistory of={of} since={entity.createdAt} />
        </Suspense>
      </Sheet>
      <GridSheet>
        <LedgerGrid of={of} />
      </GridSheet>
      {moving && (
        <MoveDialog
          item={as === 'item' ? bare : null}
          from={as === 'location' ? bare : null}
          onClose={() => setMoving(false)}
        />
      )}
      {adjusting !== null && <AdjustDialog {...adjusting} onClose={() => setAdjusting(null)} />}
    </>
  );
}
