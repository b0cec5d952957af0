/** Free text, and filters as chips. What is typed reaches the address when the typing pauses. */
import { Button, NativeSelect, Popover, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useAddress } from '../../navigation/address.ts';
import { Icon } from '../icons.tsx';
import styles from './menus.module.css';

export interface Filter {
  /** The parameter, in the address and in the call. */
  key: string;
  label: string;
  /** Absent: free text. */
  options?: readonly { value: string; label: string; count?: number }[];
  /** An input of this type in place of text. */
  type?: 'text' | 'date' | 'datetime-local';
}

const PAUSE_MS = 200;

export interface FilterBarProps {
  filters: readonly Filter[];
  search?: { key: string; placeholder: string };
}

export function FilterBar({ filters, search }: FilterBarProps) {
  const address = useAddress();
  const set = filters.flatMap((filter) => address.all(filter.key).map((value) => ({ filter, value })));
  return (
    <div className={styles.chips}>
      {search !== undefined && <SearchField parameter={search.key} placeholder={search.placeholder} />}
      {filters.length > 0 && (
        <Popover position="bottom-start" trapFocus>
          <Popover.Target>
            <Button variant="default" leftSection={<Icon name="filter" size={14} />}>
              Filter
            </Button>
          </Popover.Target>
          <Popover.Dropdown className={styles.filters} aria-label="Filters">
            {filters.map((filter) => (
              <FilterField key={filter.key} filter={filter} />
            ))}
          </Popover.Dropdown>
        </Popover>
      )}
      {set.map(({ filter, value }) => {
        const label = filter.options?.find((option) => option.value === value)?.label ?? value;
        const others = address.all(filter.key).filter((other) => other !== value);
        return (
          <span key={`${filter.key} ${value}`} className={styles.chip}>
            <span>
              {filter.label}: {label}
            </span>
            <button
              type="button"
              aria-label={`Remove filter ${filter.label}: ${label}`}
              onClick={() => address.set({ [filter.key]: others })}
            >
              <Icon name="close" size={10} />
            </button>
          </span>
        );
      })}
    </div>
  );
}

function FilterField({ filter }: { filter: Filter }) {
  const address = useAddress();
  const value = address.get(filter.key) ?? '';
  const set = (next: string) => address.set({ [filter.key]: next });
  if (filter.options === undefined) {
    return (
      <TextInput
        label={filter.label}
        type={filter.type ?? 'text'}
        defaultValue={value}
        onBlur={(event) => event.currentTarget.value !== value && set(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && set(event.currentTarget.value)}
      />
    );
  }
  return (
    <NativeSelect
      label={filter.label}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
      data={[
        { value: '', label: 'any' },
        ...filter.options.map((option) => ({
          value: option.value,
          label: option.count === undefined ? option.label : `${option.label} (${option.count})`,
        })),
      ]}
    />
  );
}

export function SearchField({ parameter, placeholder }: { parameter: string; placeholder: string }) {
  const address = useAddress();
  const given = address.get(parameter) ?? '';
  const [text, setText] = useState(given);
  const sent = useRef(given);
  // Back, a saved view, a cleared filter: the address has the last word.
  useEffect(() => {
    if (given !== sent.current) setText(given);
    sent.current = given;
  }, [given]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      address.set({ [parameter]: text }, 'replace');
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, parameter, address]);
  return (
    <TextInput
      className={styles.search}
      type="search"
      aria-label={placeholder}
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      leftSection={<Icon name="search" size={14} />}
      data-page-search=""
    />
  );
}
