/** Views that are kept in this browser: of lists without views in the workspace, and of keys that may only read. */
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { currentSlug } from '../../client/workspace.ts';
import { useAddress } from '../../navigation/address.ts';
import { Link } from '../../navigation/link.tsx';
import { Icon } from '../icons.tsx';
import { notify } from '../notices.tsx';
import styles from './menus.module.css';
import { keptOf } from './view-address.ts';

interface BrowserView {
  name: string;
  search: string;
}

const VIEWS_MAX = 50;

export function BrowserViews({ label }: { label: string }) {
  const address = useAddress();
  const [views, setViews] = useState(() => readViews(label));
  const [name, setName] = useState('');
  const keep = (next: readonly BrowserView[]) => {
    setViews(next);
    writeViews(label, next);
  };
  const search = keptOf(address.search).toString();
  const save = () => {
    if (name.trim() === '') return;
    const others = views.filter((view) => view.name !== name.trim());
    keep([...others, { name: name.trim(), search }].slice(-VIEWS_MAX));
    setName('');
  };
  return (
    <>
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
        label="Save this view in the browser as"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && save()}
      />
      <Button variant="default" onClick={save} disabled={name.trim() === ''}>
        Save
      </Button>
    </>
  );
}

export function readViews(label: string): readonly BrowserView[] {
  try {
    const kept = JSON.parse(window.localStorage.getItem(placeOf(label)) ?? '[]') as unknown;
    return Array.isArray(kept) ? (kept as BrowserView[]) : [];
  } catch {
    return [];
  }
}

export function writeViews(label: string, views: readonly BrowserView[]): void {
  window.localStorage.setItem(placeOf(label), JSON.stringify(views));
}

function placeOf(label: string): string {
  return `partbook.views.${currentSlug()}.${label}`;
}
