/** Boxes for the areas of a key, with presets that only tick them. Areas that the user lacks cannot be given. */
import { Button, Checkbox } from '@mantine/core';
import { areaWords, nameOfAreas, presets } from '../../client/areas.ts';
import { type Area, useSession } from '../../client/session.ts';
import styles from './area-boxes.module.css';

export function AreaBoxes({
  areas,
  onChange,
}: {
  areas: readonly Area[];
  onChange: (areas: Area[]) => void;
}) {
  const { areas: own } = useSession();
  const toggle = (area: Area) =>
    onChange([
      'read',
      ...areaWords.map((one) => one.area).filter((one) => (one === area) !== areas.includes(one)),
    ]);
  return (
    <fieldset className={styles.areas}>
      <legend>May do</legend>
      <div className={styles.presets}>
        {presets
          .filter((preset) => preset.areas.every((area) => own.includes(area)))
          .map(({ name, areas: filled }) => (
            <Button
              key={name}
              size="compact-xs"
              variant={nameOfAreas(areas) === name ? 'filled' : 'default'}
              aria-pressed={nameOfAreas(areas) === name}
              onClick={() => onChange([...filled])}
            >
              {name}
            </Button>
          ))}
      </div>
      <Checkbox
        label="Read"
        description="See everything except keys, links and members. It is always included."
        checked
        readOnly
        disabled
      />
      {areaWords.map(({ area, label, description }) => (
        <Checkbox
          key={area}
          label={label}
          description={description}
          checked={areas.includes(area)}
          disabled={!own.includes(area) && !areas.includes(area)}
          onChange={() => toggle(area)}
        />
      ))}
    </fieldset>
  );
}
