/** The fields behind the button *Filter* of a list, and its order, which a phone has no heads of columns for. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useAddress } from '../../navigation/address.ts';
import { isNone } from '../words.tsx';
import type { Filter, ListFilters } from './list-filters.ts';
import styles from './menus.module.css';

export function FilterFields({ filters, sorts = [], sort }: ListFilters) {
  const address = useAddress();
  const here = useRef<HTMLDivElement>(null);
  // The popover had nothing to put the focus on while the fields were loaded.
  useEffect(() => here.current?.querySelector<HTMLElement>('input, select, button')?.focus(), []);
  return (
    <div ref={here} className={styles.fields}>
      {filters.map((filter) => (
        <FilterField key={filter.key} filter={filter} />
      ))}
      {sort !== undefined && sorts.length > 1 && (
        <NativeSelect
          label="Sort by"
          value={`${sort.by} ${sort.order}`}
          onChange={(event) => {
            // A name by which a list is sorted may have blanks in it.
            const [, by, order] = /^(.*) (asc|desc)$/s.exec(event.currentTarget.value) ?? [];
            address.set({ sort: by, order });
          }}
          data={sorts.flatMap(({ by, header }) => [
            { value: `${by} asc`, label: header },
            { value: `${by} desc`, label: `${header}, descending` },
          ])}
        />
      )}
    </div>
  );
}

function FilterField({ filter }: { filter: Filter }) {
  const address = useAddress();
  const value = address.get(filter.key) ?? '';
  const set = (next: string) => address.set({ [filter.key]: next });
  if (filter.field !== undefined) return filter.field(value, set);
  if (filter.options === undefined) {
    const isMoment = filter.type === 'datetime-local';
    // The service speaks of moments, a person of the clock on the wall.
    const shown = isMoment && value !== '' ? wallClock(value) : value;
    const take = (next: string) =>
      next !== shown && set(isMoment && next !== '' ? new Date(next).toISOString() : next);
    return (
      <TextInput
        label={filter.label}
        type={filter.type ?? 'text'}
        defaultValue={shown}
        onBlur={(event) => take(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && take(event.currentTarget.value)}
      />
    );
  }
  if (filter.several === true) {
    const chosen = address.all(filter.key);
    // One of an address that was kept may be no option any more.
    const options = [
      ...filter.options,
      ...chosen.flatMap((one) =>
        filter.options?.some((option) => option.value === one) === true ? [] : [{ value: one, label: one }],
      ),
    ];
    return (
      <Checkbox.Group
        label={filter.label}
        value={chosen}
        onChange={(next) => address.set({ [filter.key]: next })}
      >
        <div className={styles.several}>
          {options.map((option) => (
            <Checkbox key={option.value} value={option.value} label={labelOf(option)} />
          ))}
        </div>
      </Checkbox.Group>
    );
  }
  return (
    <NativeSelect
      label={filter.label}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
      data={[
        { value: '', label: filter.any ?? 'Any' },
        // One of an address that was kept, which may be none any more.
        ...(value === '' || filter.options.some((option) => option.value === value)
          ? []
          : [{ value, label: value }]),
        ...filter.options.map((option) => ({ value: option.value, label: labelOf(option) })),
      ]}
    />
  );
}

function labelOf({ label, count }: { label: string; count?: number | undefined }): string {
  return count === undefined ? label : `${label} (${count})`;
}

function wallClock(moment: string): string {
  const at = new Date(moment);
  if (isNone(at)) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
