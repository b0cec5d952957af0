/** The sections of the app. A phone shows the first four, and the rest under "More". */
import type { Permission } from '../client/session.ts';
import type { IconName } from '../components/icons.tsx';
import { paths } from '../navigation/paths.ts';

export interface Section {
  label: string;
  icon: IconName;
  href: () => string;
  permission: Permission;
}

export const sections: readonly Section[] = [
  { label: 'Overview', icon: 'overview', href: () => paths.overview(), permission: 'read' },
  { label: 'Items', icon: 'entities', href: () => paths.entities(), permission: 'read' },
  { label: 'Stock', icon: 'stock', href: () => paths.stock(), permission: 'read' },
  { label: 'Procurement', icon: 'procurement', href: () => paths.procurement(), permission: 'read' },
  { label: 'Imports', icon: 'batches', href: () => paths.batches(), permission: 'read' },
  { label: 'Import a file', icon: 'imports', href: () => paths.imports(), permission: 'write' },
  { label: 'Automations', icon: 'automations', href: () => paths.automations(), permission: 'read' },
  { label: 'Settings', icon: 'settings', href: () => paths.settings(), permission: 'read' },
];

/** Whether the address is within the section. */
export function isWithin(section: Section, pathname: string): boolean {
  const href = section.href();
  return pathname === href || (href !== paths.overview() && pathname.startsWith(`${href}/`));
}
