/** The sides of stock. */
import { TabLinks } from '../components/page-frame.tsx';
import { paths } from '../navigation/paths.ts';

export function StockTabs({
  current,
}: {
  current: 'locations' | 'positions' | 'lots' | 'transfers' | 'value' | 'ledger';
}) {
  return (
    <TabLinks
      label="Stock"
      current={current}
      tabs={[
        { key: 'locations', label: 'Locations', href: paths.stock() },
        { key: 'positions', label: 'Positions', href: paths.stockPage('positions') },
        { key: 'lots', label: 'Lots', href: paths.stockPage('lots') },
        { key: 'transfers', label: 'Transfers', href: paths.stockPage('transfers') },
        { key: 'value', label: 'Value', href: paths.stockPage('value') },
        { key: 'ledger', label: 'Ledger', href: paths.stockPage('ledger') },
      ]}
    />
  );
}
