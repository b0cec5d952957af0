/** Settings, one tab for each kind. */
import { Outlet } from '@tanstack/react-router';
import { allows, useSession } from '../client/session.ts';
import { EmptyState, PageFrame, TabLinks } from '../components/page-frame.tsx';
import { useAddress } from '../navigation/address.ts';
import { paths } from '../navigation/paths.ts';

const tabs = [
  { key: '', label: 'Categories', area: 'read' },
  { key: 'properties', label: 'Properties', area: 'read' },
  { key: 'lifecycles', label: 'Lifecycles', area: 'read' },
  { key: 'stock', label: 'Stock', area: 'read' },
  { key: 'orders', label: 'Printed orders', area: 'read' },
  { key: 'imports', label: 'Import mappings', area: 'read' },
  { key: 'people', label: 'People', area: 'admin' },
  { key: 'groups', label: 'Groups', area: 'admin' },
  { key: 'keys', label: 'API keys', area: 'admin' },
  { key: 'csv-links', label: 'CSV links', area: 'admin' },
  { key: 'webhooks', label: 'Webhooks', area: 'configuration' },
  { key: 'audit', label: 'Audit', area: 'read' },
] as const;

export function SettingsPage() {
  const session = useSession();
  const { pathname } = useAddress();
  const all = tabs.map((tab) => ({ ...tab, href: paths.settings(...(tab.key === '' ? [] : [tab.key])) }));
  const shown = all.filter((tab) => allows(session, tab.area));
  const refused = all.find((tab) => pathname === tab.href && !shown.includes(tab));
  return (
    <PageFrame title="Settings">
      <TabLinks
        label="Settings"
        tabs={shown}
        current={refused?.key ?? shown.findLast(({ href }) => pathname === href)?.key ?? ''}
      />
      {refused === undefined ? (
        <Outlet />
      ) : (
        <EmptyState title={`You may not see ${refused.label}`}>
          This takes the area "{refused.area}". An administrator can give it to you.
        </EmptyState>
      )}
    </PageFrame>
  );
}
