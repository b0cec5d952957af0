/** Boxes for what a member may do, with presets that only tick boxes. */
import { Checkbox, NativeSelect } from '@mantine/core';
import type { Member } from '../client/operations.ts';

export type Area = Member['areas'][number];

const boxes: readonly [Area, string][] = [
  ['read', 'Read: see everything but keys and members'],
  ['stock', 'Stock: adjustments, counts, receipts, shipments, reservations'],
  ['procurement', 'Procurement: orders, lines, requirements'],
  ['engineering', 'Engineering: parts, structure, imports'],
  ['configuration', 'Configuration: categories, properties, automations, whose scripts may do everything'],
  ['admin', 'Administration: members, API keys, CSV links'],
];
const every = boxes.map(([area]) => area);

const presets: Readonly<Record<string, readonly Area[]>> = {
  Viewer: ['read'],
  Storekeeper: ['read', 'stock'],
  Buyer: ['read', 'stock', 'procurement'],
  Engineer: ['read', 'engineering', 'configuration'],
  Administrator: every,
};

export const allAreas: readonly Area[] = every;

/** Names the preset where the areas are those of one. */
export function areasText(areas: readonly Area[]): string {
  return presetOf(areas) ?? every.filter((area) => areas.includes(area)).join(', ');
}

function presetOf(areas: readonly Area[]): string | null {
  const same = ([, held]: [string, readonly Area[]]) =>
    held.length === areas.length && held.every((area) => areas.includes(area));
  return Object.entries(presets).find(same)?.[0] ?? null;
}

export function AreaBoxes({
  areas,
  onChange,
}: {
  areas: readonly Area[];
  onChange: (areas: Area[]) => void;
}) {
  return (
    <>
      <NativeSelect
        label="Role"
        description="Ticks the boxes below."
        value={presetOf(areas) ?? ''}
        data={[{ value: '', label: 'Own choice' }, ...Object.keys(presets)]}
        onChange={(event) => onChange([...(presets[event.currentTarget.value] ?? areas)])}
      />
      <Checkbox.Group
        label="Areas"
        value={[...areas]}
        onChange={(chosen) => onChange(every.filter((area) => area === 'read' || chosen.includes(area)))}
      >
        {boxes.map(([area, label]) => (
          <Checkbox key={area} value={area} label={label} disabled={area === 'read'} mt={6} />
        ))}
      </Checkbox.Group>
    </>
  );
}
