/** Everything that was asked for. */
import { GridSheet, PageFrame } from '../../components/page-frame.tsx';
import { ProcurementTabs } from '../procurement-tabs.tsx';
import { RequirementsGrid } from './requirements-grid.tsx';

export function RequirementListPage() {
  return (
    <PageFrame title="Procurement" plainTitle="Requirements">
      <ProcurementTabs current="requirements" />
      <GridSheet>
        <RequirementsGrid />
      </GridSheet>
    </PageFrame>
  );
}
