/** The saved views of a list: opens, saves, renames, shares and deletes them. */
import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askAll } from '../../client/ask.ts';
import type { SavedView } from '../../client/operations.ts';
import { useMay, useSession } from '../../client/session.ts';
import { useAddress } from '../../navigation/address.ts';
import { Link } from '../../navigation/link.tsx';
import { Icon } from '../icons.tsx';
import { ProblemPanel } from '../problem-panel.tsx';
import { useAction, useActs } from '../use-action.ts';
import { BrowserViews, readViews, writeViews } from './browser-views.tsx';
import styles from './menus.module.css';
import { isSameView, listOfLabel, VIEW, viewOfAddress } from './view-address.ts';

/** Areas of which one lets a caller save views. */
const writing = ['stock', 'procurement', 'engineering', 'configuration', 'admin'] as const;

/** Keys that may only read use shared views, and keep their own in the browser. */
export function ViewsMenu({ label }: { label: string }) {
  const list = listOfLabel(label);
  const mayWrite = useMay(writing);
  return (
    <>
      {list !== null && <WorkspaceViews label={label} list={list} />}
      {(list === null || !mayWrite) && <BrowserViews label={label} />}
    </>
  );
}

/** Lets a member be told of what becomes part of a view, and changes in it. */
function FollowView({ view }: { view: SavedView }) {
  const followed = useQuery(askAll('listSubscriptions', {}));
  const changes = ['listSubscriptions'] as const;
  const follow = useAction('follow', {
    changes,
    done: `You follow ${view.name}: your inbox tells what becomes part of it, and changes in it.`,
  });
  const unfollow = useAction('unfollow', { changes, done: `You no longer follow ${view.name}.` });
  if (followed.data === undefined) return null;
  const held = followed.data.find(({ subject }) => subject.type === 'view' && subject.id === view.id);
  const error = follow.error ?? unfollow.error;
  return (
    <>
      <ActionIcon
        variant="subtle"
        aria-label={`${held === undefined ? 'Follow' : 'Stop following'} view ${view.name}`}
        title={held === undefined ? 'Follow: be told of changes in your inbox' : 'Stop following'}
        loading={follow.isPending || unfollow.isPending}
        onClick={() =>
          held === undefined ? follow.mutate({ body: { view: view.id } }) : unfollow.mutate({ id: held.id })
        }
      >
        <Icon name={held === undefined ? 'eye' : 'check'} />
      </ActionIcon>
      {error !== null && <ProblemPanel error={error} />}
    </>
  );
}

function WorkspaceViews({ label, list }: { label: string; list: SavedView['list'] }) {
  const address = useAddress();
  const mayWrite = useMay(writing);
  const mayAll = useMay('admin');
  const mayFollow = useSession().actor.type === 'member' && list === 'entities';
  const views = useQuery(askAll('listViews', { query: { list } }));
  const [name, setName] = useState('');
  const [isShared, setIsShared] = useState(false);
  const [renamed, setRenamed] = useState<SavedView | null>(null);
  const [left, setLeft] = useState(() => readViews(label));
  const changes = ['listViews', 'getView'] as const;
  const replace = useAction('replaceView', { changes, onDone: () => setRenamed(null) });
  const remove = useAction('deleteView', { changes });
  const save = useAction('createView', {
    changes,
    onDone: ({ id }) => {
      setName('');
      setIsShared(false);
      address.set({ [VIEW]: id }, 'replace');
    },
  });
  const move = useActs(
    async (all: ReturnType<typeof readViews>, write) => {
      for (const [at, view] of all.entries()) {
        const settings = viewOfAddress(list, new URLSearchParams(view.search));
        await write('createView', { body: { name: view.name, list, ...settings } });
        // Views that are saved are not saved again when a later one is refused.
        writeViews(label, all.slice(at + 1));
        setLeft(all.slice(at + 1));
      }
    },
    { changes, done: 'The views of this browser are in the workspace.' },
  );
  // Administrators see views of others; what is not shared is not shown beside their own.
  const shown = (views.data ?? []).filter(({ mine, shared }) => mine || shared);
  const present = viewOfAddress(list, address.search);
  const current = shown.find(({ id }) => id === address.get(VIEW));
  const bodyOf = ({ filters, sort, order, columns, ...view }: SavedView, change: object) => ({
    name: view.name,
    shared: view.shared,
    filters,
    sort,
    order,
    columns,
    ...change,
  });
  const put = (view: SavedView, change: object) =>
    replace.mutate({ id: view.id, body: bodyOf(view, change) });
  const mayChange = (view: SavedView) => mayWrite && (view.mine || mayAll);
  const error = views.error ?? replace.error ?? remove.error ?? save.error ?? move.error;
  return (
    <>
      {error !== null && <ProblemPanel error={error} />}
      {views.isSuccess && shown.length === 0 && (
        <span className="muted">A view keeps filters, sort and columns under a name.</span>
      )}
      {shown.map((view) =>
        renamed?.id === view.id ? (
          <form
            key={view.id}
            className={styles.viewRow}
            onSubmit={(event) => {
              event.preventDefault();
              put(view, { name: renamed.name });
            }}
          >
            <TextInput
              aria-label="New name"
              value={renamed.name}
              onChange={(event) => setRenamed({ ...renamed, name: event.currentTarget.value })}
            />
            <Button variant="default" type="submit" disabled={renamed.name.trim() === ''}>
              Rename
            </Button>
          </form>
        ) : (
          <div key={view.id} className={styles.viewRow}>
            <Link
              href={`${address.pathname}?${VIEW}=${view.id}`}
              aria-current={view.id === current?.id ? 'true' : undefined}
            >
              {view.name}
              {view.shared && <small className="muted"> · {view.mine ? 'shared' : view.owner.name}</small>}
            </Link>
            {mayFollow && (view.mine || view.shared) && <FollowView view={view} />}
            {mayChange(view) && (
              <>
                <ActionIcon
                  variant="subtle"
                  aria-label={`${view.shared ? 'Stop sharing' : 'Share'} view ${view.name}`}
                  title={view.shared ? 'Stop sharing' : 'Share in the workspace'}
                  onClick={() => put(view, { shared: !view.shared })}
                >
                  <Icon name={view.shared ? 'link' : 'out'} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  aria-label={`Rename view ${view.name}`}
                  onClick={() => setRenamed(view)}
                >
                  <Icon name="edit" />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  aria-label={`Delete view ${view.name}`}
                  onClick={() => remove.mutate({ id: view.id })}
                >
                  <Icon name="trash" />
                </ActionIcon>
              </>
            )}
          </div>
        ),
      )}
      {current !== undefined && mayChange(current) && !isSameView(current, present) && (
        <Button variant="default" onClick={() => put(current, present)}>
          Save changes to {current.name}
        </Button>
      )}
      {mayWrite && (
        <form
          className={styles.filters}
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate({ body: { name: name.trim(), list, shared: isShared, ...present } });
          }}
        >
          <TextInput
            label="Save this view as"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox
            label="Share in the workspace"
            checked={isShared}
            onChange={(event) => setIsShared(event.currentTarget.checked)}
          />
          <Button variant="default" type="submit" disabled={name.trim() === '' || save.isPending}>
            Save
          </Button>
        </form>
      )}
      {mayWrite && left.length > 0 && (
        <Button variant="default" onClick={() => move.mutate(left)} disabled={move.isPending}>
          Move {left.length} {left.length === 1 ? 'view' : 'views'} of this browser to the workspace
        </Button>
      )}
    </>
  );
}
