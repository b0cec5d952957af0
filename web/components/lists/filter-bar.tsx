/** Free text, and filters as chips. What is typed reaches the address when the typing pauses. */
import { Button, Popover, TextInput } from '@mantine/core';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useAddress } from '../../navigation/address.ts';
import { Icon } from '../icons.tsx';
import { dayText, momentText } from '../words.tsx';
import type { Filter, ListFilters } from './list-filters.ts';
import styles from './menus.module.css';

export type { Filter };

// They are loaded when they are opened, so that the first page is small.
const FilterFields = lazy(async () => ({ default: (await import('./filter-fields.tsx')).FilterFields }));

const PAUSE_MS = 200;

/** The popover sets its width itself, and would else be as wide as the longest choice. */
export const FILTERS_WIDTH = 286;

export interface FilterBarProps extends ListFilters {
  search?: { key: string; placeholder: string };
}

export function FilterBar({ filters, search, sorts = [], sort }: FilterBarProps) {
  const address = useAddress();
  const id = useId();
  const set = filters.flatMap((filter) => address.all(filter.key).map((value) => ({ filter, value })));
  return (
    <div className={styles.chips}>
      {search !== undefined && <SearchField parameter={search.key} placeholder={search.placeholder} />}
      {(filters.length > 0 || (sort !== undefined && sorts.length > 1)) && (
        <Popover position="bottom-start" width={FILTERS_WIDTH} trapFocus>
          <Popover.Target>
            <Button variant="default" leftSection={<Icon name="filter" size={14} />}>
              Filter
            </Button>
          </Popover.Target>
          <Popover.Dropdown className={styles.filters} aria-label="Filters">
            <Suspense fallback={<span className="muted">Loading…</span>}>
              <FilterFields filters={filters} sorts={sorts} sort={sort} />
            </Suspense>
          </Popover.Dropdown>
        </Popover>
      )}
      {set.map(({ filter, value }) => {
        const label =
          filter.options?.find((option) => option.value === value)?.label ?? valueText(filter, value);
        const others = address.all(filter.key).filter((other) => other !== value);
        return (
          <span key={`${filter.key} ${value}`} className={styles.chip}>
            <span id={`${id}-${filter.key}-${value}-name`}>
              {filter.label}: {filter.name?.(value) ?? label}
            </span>
            <button
              type="button"
              id={`${id}-${filter.key}-${value}`}
              aria-label="Remove filter"
              aria-labelledby={`${id}-${filter.key}-${value} ${id}-${filter.key}-${value}-name`}
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

function valueText({ type }: Filter, value: string): string {
  return type === 'datetime-local' ? momentText(value) : type === 'date' ? dayText(value) : value;
}

function SearchField({ parameter, placeholder }: { parameter: string; placeholder: string }) {
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
