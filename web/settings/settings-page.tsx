/** Settings, one tab for each kind. */
import { Outlet } from '@tanstack/react-router';
import { useMay } from '../client/session.ts';
import { PageFrame, TabLinks } from '../components/page-frame.tsx';
import { useAddress } from '../navigation/address.ts';
import { paths } from '../navigation/paths.ts';

const tabs = [
  { key: '', label: 'Categories', admin: false },
  { key: 'properties', label: 'Properties', admin: false },
  { key: 'lifecycles', label: 'Lifecycles', admin: false },
  { key: 'stock', label: 'Stock', admin: false },
  { key: 'imports', label: 'Import mappings', admin: false },
  { key: 'people', label: 'People', admin: true },
  { key: 'keys', label: 'API keys', admin: true },
  { key: 'csv-links', label: 'CSV links', admin: true },
  { key: 'webhooks', label: 'Webhooks', admin: true },
  { key: 'audit', label: 'Audit', admin: false },
];

export function SettingsPage() {
  const admin = useMay('admin');
  const { pathname } = useAddress();
  const shown = tabs
    .filter((tab) => admin || !tab.admin)
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
