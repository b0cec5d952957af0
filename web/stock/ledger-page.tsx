/** Every movement of the workspace, newest first. */
import { PageFrame } from '../components/page-frame.tsx';
import { LedgerGrid } from './ledger-grid.tsx';
import styles from './stock.module.css';
import { StockTabs } from './stock-tabs.tsx';

export function LedgerPage() {
  return (
    <PageFrame title="Stock" plainTitle="Ledger">
      <StockTabs current="ledger" />
      <div className={styles.gridSheet}>
        <LedgerGrid of="all" />
      </div>
    </PageFrame>
  );
}
