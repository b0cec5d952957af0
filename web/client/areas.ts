/** Areas in words, and the presets that tick some of them. */
import type { Area } from './session.ts';

export const areaWords: readonly { area: Area; label: string; description: string }[] = [
  { area: 'stock', label: 'Stock', description: 'Adjust, count, move, receive, ship, reserve and issue.' },
  { area: 'procurement', label: 'Procurement', description: 'Orders, their lines, and requirements.' },
  {
    area: 'engineering',
    label: 'Engineering',
    description: 'Items, structures, imports and their lifecycles.',
  },
  {
    area: 'configuration',
    label: 'Configuration',
    description:
      'Categories, properties, lifecycles, automations, webhooks. Scripts can do everything here: give it as you would give all of the above.',
  },
  { area: 'admin', label: 'Administration', description: 'Members, API keys and CSV links.' },
];

/** A preset only fills the boxes. */
export const presets: readonly { name: string; areas: readonly Area[] }[] = [
  { name: 'Viewer', areas: ['read'] },
  { name: 'Storekeeper', areas: ['read', 'stock'] },
  { name: 'Buyer', areas: ['read', 'procurement'] },
  { name: 'Engineer', areas: ['read', 'engineering'] },
  { name: 'Administrator', areas: ['read', 'stock', 'procurement', 'engineering', 'configuration', 'admin'] },
];

/** Returns the name of the preset with exactly these areas. */
export function presetOf(areas: readonly Area[]): string | null {
  return presets.find((one) => isSame(one.areas, areas))?.name ?? null;
}

/** Returns the name of the preset with these areas, or else the areas. */
export function nameOfAreas(areas: readonly Area[]): string {
  const preset = presetOf(areas);
  if (preset !== null) return preset;
  return areaWords.flatMap(({ area, label }) => (areas.includes(area) ? [label] : [])).join(', ');
}

function isSame(some: readonly Area[], others: readonly Area[]): boolean {
  return some.length === others.length && some.every((area) => others.includes(area));
}
