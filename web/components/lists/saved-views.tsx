/** Named addresses of a list: filters, sort and columns. They are kept in this browser, for each workspace. */
import { ActionIcon, Button, Popover, TextInput } from '@mantine/core';
import { useState } from 'react';
import { currentSlug } from '../../client/workspace.ts';
import { useAddress } from '../../navigation/address.ts';
import { BESIDE } from '../../navigation/beside.ts';
import { Link } from '../../navigation/link.tsx';
import { Icon } from '../icons.tsx';
import { notify } from '../notices.tsx';
import { FILTERS_WIDTH } from './filter-bar.tsx';
import styles from './menus.module.css';

interface View {
  name: string;
  search: string;
}

const VIEWS_MAX = 50;

export function SavedViews({ list }: { list: string }) {
  const address = useAddress();
  const place = placeOf(list);
  const [views, setViews] = useState<readonly View[]>(() => read(place));
  const [name, setName] = useState('');
  const keep = (next: readonly View[]) => {
    setViews(next);
    window.localStorage.setItem(place, JSON.stringify(next));
  };
  const search = keptOf(address.search);
  const save = () => {
    if (name.trim() === '') return;
    keep(
      [...views.filter((view) => view.name !== name.trim()), { name: name.trim(), search }].slice(-VIEWS_MAX),
    );
    setName('');
  };
  return (
    <Popover position="bottom-end" width={FILTERS_WIDTH} trapFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" aria-label="Saved views" title="Saved views">
          <Icon name="view" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={styles.filters} aria-label="Saved views">
        {views.length === 0 && (
          <span className="muted">A view keeps filters, sort and columns under a name.</span>
        )}
        {views.map((view) => (
          <div key={view.name} className={styles.viewRow}>
            <Link
              href={view.search === '' ? address.pathname : `${address.pathname}?${view.search}`}
              aria-current={view.search === search ? 'true' : undefined}
            >
              {view.name}
            </Link>
            <ActionIcon
              variant="subtle"
              aria-label={`Delete view ${view.name}`}
              onClick={() => {
                keep(views.filter((other) => other !== view));
                notify(`View ${view.name} deleted.`, () => keep(views));
              }}
            >
              <Icon name="trash" />
            </ActionIcon>
          </div>
        ))}
        <TextInput
          label="Save this view as"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && save()}
        />
        <Button variant="default" onClick={save} disabled={name.trim() === ''}>
          Save
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The name of the view that shows this address; undefined where none does. */
export function viewNamed(list: string, search: URLSearchParams): string | undefined {
  const kept = keptOf(search);
  return read(placeOf(list)).find((view) => view.search === kept)?.name;
}

function placeOf(list: string): string {
  return `partbook.views.${currentSlug()}.${list}`;
}

/** What happens to be open beside is not part of the view. */
function keptOf(search: URLSearchParams): string {
  const kept = new URLSearchParams(search);
  kept.delete(BESIDE);
  return kept.toString();
}

function read(place: string): readonly View[] {
  try {
    const kept = JSON.parse(window.localStorage.getItem(place) ?? '[]') as unknown;
    return Array.isArray(kept) ? (kept as View[]) : [];
  } catch {
    return [];
  }
}
