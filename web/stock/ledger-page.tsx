/** Every movement of the workspace, newest first. */
import { GridSheet, PageFrame } from '../components/page-frame.tsx';
import { LedgerGrid } from './ledger-grid.tsx';
import { StockTabs } from './stock-tabs.tsx';

export function LedgerPage() {
  return (
    <PageFrame title="Stock" plainTitle="Ledger">
      <StockTabs current="ledger" />
      <GridSheet>
        <LedgerGrid of="all" />
      </GridSheet>
    </PageFrame>
  );
}
