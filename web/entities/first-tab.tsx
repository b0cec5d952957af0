/** The tab that an entity opens on: its structure where it has one, else its properties. */
import { Waiting } from '../components/page-frame.tsx';
import { usePathParam } from '../navigation/address.ts';
import { useSummary } from './entity-figures.tsx';
import { PropertiesTab } from './properties-tab.tsx';
import { UsesTab } from './uses-tab.tsx';

export function FirstTab() {
  const summary = useSummary(usePathParam('id'));
  if (summary.isPending) return <Waiting />;
  return firstTabOf(summary.data?.uses) === 'uses' ? <UsesTab /> : <PropertiesTab />;
}

export function firstTabOf(uses: number | undefined): 'uses' | 'properties' {
  return (uses ?? 0) > 0 ? 'uses' : 'properties';
}
