/** The pages of settings: configuration, access and webhooks. */
import type { Page } from '../navigation/page.ts';

export const settingsPages: readonly Page[] = [
  {
    path: 'settings',
    load: async () => (await import('./settings-page.tsx')).SettingsPage,
    palette: { label: 'Settings', also: 'configuration categories' },
    children: [
      { path: '/', load: async () => (await import('./categories-tab.tsx')).CategoriesTab },
      { path: 'properties', load: async () => (await import('./properties-tab.tsx')).PropertiesTab },
      { path: 'lifecycles', load: async () => (await import('./lifecycles-tab.tsx')).LifecyclesTab },
      { path: 'stock', load: async () => (await import('./stock-tab.tsx')).StockSettingsTab },
      { path: 'orders', load: async () => (await import('./orders-tab.tsx')).OrdersTab },
      { path: 'imports', load: async () => (await import('./imports-tab.tsx')).ImportsTab },
      { path: 'people', load: async () => (await import('./people-tab.tsx')).PeopleTab },
      { path: 'groups', load: async () => (await import('./groups-tab.tsx')).GroupsTab },
      { path: 'keys', load: async () => (await import('./keys-tab.tsx')).KeysTab },
      { path: 'csv-links', load: async () => (await import('./csv-links-tab.tsx')).CsvLinksTab },
      { path: 'webhooks', load: async () => (await import('./webhooks-tab.tsx')).WebhooksTab },
      { path: 'audit', load: async () => (await import('./audit-tab.tsx')).AuditTab },
    ],
  },
  {
    path: 'settings/lifecycles/$key',
    load: async () => (await import('./lifecycle-page.tsx')).LifecyclePage,
  },
  {
    path: 'settings/webhooks/$id',
    load: async () => (await import('./webhook-page.tsx')).WebhookPage,
  },
];
