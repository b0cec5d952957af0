/** The sides of procurement. */
import { TabLinks } from '../components/page-frame.tsx';
import { paths } from '../navigation/paths.ts';

export function ProcurementTabs({
  current,
}: {
  current: 'projects' | 'requirements' | 'orders' | 'lines' | 'suppliers' | 'reorder' | 'plans';
}) {
  return (
    <TabLinks
      label="Procurement"
      current={current}
      tabs={[
        { key: 'projects', label: 'Projects', href: paths.procurement() },
        { key: 'requirements', label: 'Requirements', href: paths.requirements() },
        { key: 'orders', label: 'Orders', href: paths.orders() },
        { key: 'lines', label: 'Lines', href: paths.lines({ state: 'Ordered' }) },
        { key: 'reorder', label: 'Reorder', href: paths.reorder() },
        { key: 'plans', label: 'Plan', href: paths.plans() },
        { key: 'suppliers', label: 'Suppliers', href: paths.suppliers() },
      ]}
    />
  );
}
