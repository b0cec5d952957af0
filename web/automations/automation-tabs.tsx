/** Tabs: automations and their runs. */
import { TabLinks } from '../components/page-frame.tsx';
import { paths } from '../navigation/paths.ts';

export function AutomationTabs({ current }: { current: 'automations' | 'runs' }) {
  return (
    <TabLinks
      label="Automations"
      current={current}
      tabs={[
        { key: 'automations', label: 'Automations', href: paths.automations() },
        { key: 'runs', label: 'Runs', href: paths.automationRuns() },
      ]}
    />
  );
}
