/** The pages of stock, and the tab that an entity has of it. */
import type { Page } from '../navigation/page.ts';

export const stockTab: Page = {
  path: 'stock',
  load: async () => (await import('./stock-tab.tsx')).StockTab,
};
