/** The button of the saved views of a list, and what opens a view by its address: `?view=ID`. */
import { ActionIcon, Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { ask } from '../../client/ask.ts';
import { useAddress } from '../../navigation/address.ts';
import { Icon } from '../icons.tsx';
import { notify } from '../notices.tsx';
import { FILTERS_WIDTH } from './filter-bar.tsx';
import styles from './menus.module.css';
import { addressOfView, keptOf, listOfLabel, VIEW } from './view-address.ts';

// It is loaded when it is opened, so that the first page is small.
const ViewsMenu = lazy(async () => ({ default: (await import('./views-menu.tsx')).ViewsMenu }));

export function SavedViews({ list }: { list: string }) {
  return (
    <Popover position="bottom-end" width={FILTERS_WIDTH} trapFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" aria-label="Saved views" title="Saved views">
          <Icon name="view" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={styles.filters} aria-label="Saved views">
        <Suspense fallback={<span className="muted">Loading…</span>}>
          <ViewsMenu label={list} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The view that the address names. */
function useView(label: string) {
  const id = useAddress().get(VIEW) ?? '';
  return useQuery({ ...ask('getView', { id }), enabled: id !== '' && listOfLabel(label) !== null });
}

/** The name of the view that the address names; undefined if it names none. */
export function useViewName(label: string): string | undefined {
  return useView(label).data?.name;
}

/**
 * Writes the filters, sort and columns of a view into an address that only names the view. Returns whether the list has to wait for
 * them.
 */
export function useOpenedView(label: string): boolean {
  const address = useAddress();
  const { set } = address;
  const { data: view, isError, isFetching } = useView(label);
  const isNamed = address.get(VIEW) !== undefined && listOfLabel(label) !== null;
  const isOpening = isNamed && keptOf(address.search).size === 0;
  const kept = view === undefined ? '' : addressOfView(view).toString();
  useEffect(() => {
    if (!isOpening || kept === '') return;
    const search = new URLSearchParams(kept);
    set(Object.fromEntries([...new Set(search.keys())].map((key) => [key, search.getAll(key)])), 'replace');
  }, [isOpening, kept, set]);
  const isMissing = isNamed && isError;
  useEffect(() => {
    if (!isMissing) return;
    set({ [VIEW]: undefined }, 'replace');
    notify('There is no such view, or its owner does not share it.');
  }, [isMissing, set]);
  return isOpening && (view === undefined ? isFetching : kept !== '');
}
