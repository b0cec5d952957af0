/** The tab that an entity opens on: its structure where it has one and shows it, else its properties. */
import { Waiting } from '../components/page-frame.tsx';
import { usePathParam } from '../navigation/address.ts';
import { useCategories } from './configuration.ts';
import { useSummary } from './entity-figures.tsx';
import { PropertiesTab } from './properties-tab.tsx';
import { type EntityTab, tabsOf } from './tabs-of-category.ts';
import { useEntityQuery } from './use-entity.ts';
import { UsesTab } from './uses/uses-tab.tsx';

export function FirstTab() {
  const summary = useSummary(usePathParam('id'));
  const entity = useEntityQuery().data?.answer;
  const category = useCategories().find(({ key }) => key === entity?.category);
  if (summary.isPending) return <Waiting />;
  return firstTabOf(tabsOf(category), summary.data?.uses) === 'uses' ? <UsesTab /> : <PropertiesTab />;
}

export function firstTabOf(tabs: readonly EntityTab[], uses: number | undefined): 'uses' | 'properties' {
  return (uses ?? 0) > 0 && tabs.includes('uses') ? 'uses' : 'properties';
}
