/** The sections of the app. A phone shows the first four, and the rest under "More". */
import type { Area } from '../client/session.ts';
import type { IconName } from '../components/icons.tsx';
import { paths } from '../navigation/paths.ts';

export interface Section {
  label: string;
  icon: IconName;
  href: () => string;
  area: Area;
  /** Keys do not see it. */
  forMembers?: boolean;
}

export const sections: readonly Section[] = [
  { label: 'Overview', icon: 'overview', href: () => paths.overview(), area: 'read' },
  { label: 'My work', icon: 'check', href: () => paths.myWork(), area: 'read', forMembers: true },
  { label: 'Items', icon: 'entities', href: () => paths.entities(), area: 'read' },
  { label: 'Stock', icon: 'stock', href: () => paths.stock(), area: 'read' },
  { label: 'Procurement', icon: 'procurement', href: () => paths.procurement(), area: 'read' },
  { label: 'Imports', icon: 'batches', href: () => paths.batches(), area: 'read' },
  { label: 'Import a file', icon: 'imports', href: () => paths.imports(), area: 'engineering' },
  { label: 'Automations', icon: 'automations', href: () => paths.automations(), area: 'read' },
  { label: 'Settings', icon: 'settings', href: () => paths.settings(), area: 'read' },
];

/** Whether the address is within the section. */
export function isWithin(section: Section, pathname: string): boolean {
  const href = section.href();
  return pathname === href || (href !== paths.overview() && pathname.startsWith(`${href}/`));
}
