/** The pages of stock, and the tab that an entity has of it. */
import type { Page } from '../navigation/page.ts';

export const stockTab: Page = {
  path: 'stock',
  load: async () => (await import('./stock-tab.tsx')).StockTab,
};

export const stockPages: readonly Page[] = [
  {
    path: 'stock',
    load: async () => (await import('./stock-page.tsx')).StockPage,
    palette: { label: 'Stock', also: 'on hand positions locations shelf adjust scan' },
  },
  {
    path: 'stock/positions',
    load: async () => (await import('./positions-page.tsx')).PositionsPage,
    palette: { label: 'Positions', also: 'stock on hand available short' },
  },
  {
    path: 'stock/ledger',
    load: async () => (await import('./ledger-page.tsx')).LedgerPage,
    palette: { label: 'Ledger', also: 'stock movements history' },
  },
  {
    path: 'stock/transfers',
    load: async () => (await import('./transfers-page.tsx')).TransfersPage,
    palette: { label: 'Transfers', also: 'in transit under way receive move stock' },
  },
  {
    path: 'stock/value',
    load: async () => (await import('./value/value-page.tsx')).ValuePage,
    palette: { label: 'Stock value', also: 'worth cost inventory valuation fifo revalue' },
  },
  {
    path: 'stock/lots',
    load: async () => (await import('./lots/lots-page.tsx')).LotsPage,
    palette: { label: 'Lots', also: 'stock serial numbers expiry quarantine batch' },
  },
  { path: 'stock/lots/$id', load: async () => (await import('./lots/lot-page.tsx')).LotPage },
  {
    path: 'stock/count',
    load: async () => (await import('./counts/count-page.tsx')).CountPage,
    palette: { label: 'Count a location', also: 'stock take inventory shelf', area: 'stock' },
  },
  {
    path: 'stock/count-tasks',
    load: async () => (await import('./count-tasks-page.tsx')).CountTasksPage,
    palette: { label: 'Counts to do', also: 'count tasks assigned stock take' },
  },
  {
    path: 'stock/labels',
    load: async () => (await import('./labels-page.tsx')).LabelsPage,
    palette: { label: 'Print labels', also: 'qr code barcode sticker' },
  },
];
