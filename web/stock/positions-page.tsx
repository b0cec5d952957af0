/** What lies where, over the whole workspace. */
import { useState } from 'react';
import type { StockPosition } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { EmptyState, GridSheet, PageFrame } from '../components/page-frame.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { AdjustDialog } from './adjust-dialog.tsx';
import { PositionsGrid } from './positions-grid.tsx';
import { StockTabs } from './stock-tabs.tsx';

export function PositionsPage() {
  const mayMoveStock = useMay('stock');
  const [adjusted, setAdjusted] = useState<StockPosition | null>(null);
  return (
    <PageFrame title="Stock" plainTitle="Positions">
      <StockTabs current="positions" />
      <GridSheet>
        <PositionsGrid
          of="all"
          onAdjust={mayMoveStock ? setAdjusted : undefined}
          empty={
            <EmptyState title="Nothing lies anywhere yet">
              A position begins with the first movement of an item at a location:{' '}
              {mayMoveStock ? <Link href={paths.stock()}>adjust stock</Link> : 'there was none yet'}.
            </EmptyState>
          }
        />
      </GridSheet>
      {adjusted !== null && <AdjustPosition position={adjusted} onClose={() => setAdjusted(null)} />}
    </PageFrame>
  );
}

function AdjustPosition({ position, onClose }: { position: StockPosition; onClose: () => void }) {
  return (
    <AdjustDialog
      item={{ id: position.itemEntityId, number: position.itemNumber, name: position.itemName }}
      location={{
        id: position.locationEntityId,
        number: position.locationNumber,
        name: position.locationName,
      }}
      onClose={onClose}
    />
  );
}
