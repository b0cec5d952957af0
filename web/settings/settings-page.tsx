/** Settings, one tab for each kind. */
import { Outlet } from '@tanstack/react-router';
import { allows, useSession } from '../client/session.ts';
import { PageFrame, TabLinks } from '../components/page-frame.tsx';
import { useAddress } from '../navigation/address.ts';
import { paths } from '../navigation/paths.ts';

const tabs = [
  { key: '', label: 'Categories', area: 'read' },
  { key: 'properties', label: 'Properties', area: 'read' },
  { key: 'lifecycles', label: 'Lifecycles', area: 'read' },
  { key: 'stock', label: 'Stock', area: 'read' },
  { key: 'imports', label: 'Import mappings', area: 'read' },
  { key: 'people', label: 'People', area: 'admin' },
  { key: 'keys', label: 'API keys', area: 'admin' },
  { key: 'csv-links', label: 'CSV links', area: 'admin' },
  { key: 'webhooks', label: 'Webhooks', area: 'configuration' },
  { key: 'audit', label: 'Audit', area: 'read' },
] as const;

export function SettingsPage() {
  const session = useSession();
  const { pathname } = useAddress();
  const shown = tabs
    .filter((tab) => allows(session, tab.area))
    .map(({ key, label }) => ({ key, label, href: paths.settings(...(key === '' ? [] : [key])) }));
  return (
    <PageFrame title="Settings">
      <TabLinks
        label="Settings"
        tabs={shown}
        current={shown.findLast(({ href }) => pathname === href)?.key ?? ''}
      />
      <Outlet />
    </PageFrame>
  );
}
