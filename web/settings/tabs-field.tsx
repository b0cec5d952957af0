/** The tabs that entities of a category show, and their order. */
import { ActionIcon, Checkbox } from '@mantine/core';
import type { Category } from '../client/operations.ts';
import { Icon } from '../components/icons.tsx';
import { namedTabs, usualTabs } from '../entities/tabs-of-category.ts';
import styles from './settings.module.css';

export interface TabsFieldProps {
  category: Pick<Category, 'role' | 'tabs'>;
  onChange: (tabs: Category['tabs']) => void;
}

export function TabsField({ category, onChange }: TabsFieldProps) {
  const chosen = category.tabs.length === 0 ? usualTabs(category) : category.tabs;
  const labelOf = (name: Category['tabs'][number]) => namedTabs.find((one) => one.name === name)?.label;
  const known = chosen.filter((name) => labelOf(name) !== undefined);
  const others = namedTabs.map(({ name }) => name).filter((name) => !known.includes(name));
  const moved = (at: number, by: number) => {
    const next = [...known];
    next.splice(at + by, 0, ...next.splice(at, 1));
    return next;
  };
  return (
    <fieldset className={styles.tabs}>
      <legend>Tabs of its items, between Properties and Lifecycle</legend>
      {[...known, ...others].map((name) => {
        const at = known.indexOf(name);
        const label = labelOf(name) ?? name;
        return (
          <div key={name} className={styles.tab}>
            <Checkbox
              label={label}
              checked={at >= 0}
              // An empty list stands for the usual tabs.
              disabled={at >= 0 && known.length === 1}
              onChange={() => onChange(at >= 0 ? known.filter((one) => one !== name) : [...known, name])}
            />
            {at >= 0 && (
              <>
                <ActionIcon
                  variant="subtle"
                  aria-label={`Move ${label} up`}
                  disabled={at === 0}
                  onClick={() => onChange(moved(at, -1))}
                >
                  <Icon name="up" />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  aria-label={`Move ${label} down`}
                  disabled={at === known.length - 1}
                  onClick={() => onChange(moved(at, 1))}
                >
                  <Icon name="down" />
                </ActionIcon>
              </>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
