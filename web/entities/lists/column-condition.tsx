/** A control in the head of a property's column that adds a condition on it. */
import { Popover } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../components/icons.tsx';
import styles from '../entities.module.css';
import { ConditionField } from './condition-field.tsx';

export function ColumnCondition({ property, label }: { property: string; label: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" trapFocus>
      <Popover.Target>
        <button type="button" aria-label={`Filter by ${label}`} onClick={() => setOpen(!open)}>
          <Icon name="filter" size={12} />
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.narrow} aria-label={`Filter by ${label}`}>
        <ConditionField only={property} onAdded={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
