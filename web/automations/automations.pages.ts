/** The pages of automations and their runs. */
import type { Page } from '../navigation/page.ts';

export const automationPages: readonly Page[] = [
  {
    path: 'automations',
    load: async () => (await import('./automation-list-page.tsx')).AutomationListPage,
    palette: { label: 'Automations', also: 'scripts events' },
  },
  {
    path: 'automations/runs',
    load: async () => (await import('./runs-page.tsx')).RunsPage,
    palette: { label: 'Runs', also: 'automations failed retry history' },
  },
  { path: 'automations/$id', load: async () => (await import('./automation-page.tsx')).AutomationPage },
  { path: 'automations/runs/$id', load: async () => (await import('./run-page.tsx')).RunPage },
];
