/** The runs of all automations. */
import { GridSheet, PageFrame } from '../components/page-frame.tsx';
import { PausedNotice } from '../components/paused-notice.tsx';
import { AutomationTabs } from './automation-tabs.tsx';
import { RunsGrid } from './runs-grid.tsx';

export function RunsPage() {
  return (
    <PageFrame title="Automations" plainTitle="Runs">
      <AutomationTabs current="runs" />
      <PausedNotice work="automation" />
      <GridSheet>
        <RunsGrid />
      </GridSheet>
    </PageFrame>
  );
}
