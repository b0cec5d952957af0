/** Every entity of the workspace: find one among a million while typing. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { askAll } from '../../client/ask.ts';
import type { Entity } from '../../client/operations.ts';
import { call } from '../../client/request.ts';
import { AREAS_OF_ACTIONS, useMay } from '../../client/session.ts';
import { Icon } from '../../components/icons.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import {
  codeColumn,
  momentColumn,
  picturedColumn,
  textColumn,
  unitColumn,
} from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { EmptyState, PageFrame } from '../../components/page-frame.tsx';
import { countText } from '../../components/words.tsx';
import { useAddress } from '../../navigation/address.ts';
import { useGo } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import type { BulkEditDialogProps } from '../bulk-edits/bulk-edit-dialog.tsx';
import { useCategories, useLifecycles, usePropertyDefinitions } from '../configuration.ts';
import { labelOf } from '../property-label.ts';
import { areaOfCategory } from '../uses/use-may-change.ts';
import { conditionFilter } from './condition-filter.tsx';
import { stateColumn } from './entity-columns.tsx';
import { foundBy, linkedEntities, shownFirst, useFacets } from './entity-list-query.ts';

// Dialogs are loaded when they are opened: with their fields they would be part of the first page.
const NewEntityDialog = lazy(async () => ({
  default: (await import('../new-entity-dialog.tsx')).NewEntityDialog,
}));
const BulkActions = lazy(async () => ({
  default: (await import('../../actions/bulk-actions.tsx')).BulkActions,
}));
const ColumnCondition = lazy(async () => ({
  default: (await import('./column-condition.tsx')).ColumnCondition,
}));
const PropertyText = lazy(async () => ({
  default: (await import('../property-fields.tsx')).PropertyText,
}));
const BulkEditDialog = lazy(async () => ({
  default: (await import('../bulk-edits/bulk-edit-dialog.tsx')).BulkEditDialog,
}));

export function EntityListPage() {
  const address = useAddress();
  const go = useGo();
  const mayEdit = useMay('engineering');
  const mayCreate = useMay(['engineering', 'procurement']);
  const mayRun = useMay(AREAS_OF_ACTIONS);
  const [creating, setCreating] = useState(address.get('new') !== undefined);
  const [acting, setActing] = useState<readonly Entity[] | null>(null);
  const [editing, setEditing] = useState<Omit<BulkEditDialogProps, 'onClose'> | null>(null);
  const actions = useQuery({ ...askAll('listActions', {}), enabled: mayRun });
  const hasActions = (actions.data ?? []).length > 0;
  const categories = useCategories();
  const lifecycles = useLifecycles();
  const columns = useColumns();
  const facets = useFacets();
  const chosen = address.all('category').map((one) => categories.find(({ key }) => key === one));
  const [category] = chosen;
  const mayMove = useMay(areaOfCategory(category));
  // Categories with different lifecycles have no transitions in common.
  const isOne = chosen.every((one) => one?.lifecycle === category?.lifecycle);
  const lifecycle = isOne ? lifecycles.find(({ key }) => key === category?.lifecycle) : undefined;
  const states = lifecycle === undefined ? lifecycles.flatMap((one) => one.states) : lifecycle.states;
  const stateNames = [...new Set(states.map(({ name }) => name))];
  // A transition can be offered to many where one lifecycle says which there are.
  const moves = [...new Set((lifecycle?.transitions ?? []).map(({ to }) => to))];
  return (
    <PageFrame
      title="Items"
      filled
      actions={
        mayCreate && (
          <Button leftSection={<Icon name="add" size={14} />} onClick={() => setCreating(true)}>
            New
          </Button>
        )
      }
    >
      <List
        label="Items"
        noun={['item', 'items']}
        name="listEntities"
        input={{ query: shownFirst(address) }}
        sort={{ by: 'number', order: 'asc' }}
        total={facets.total}
        columns={columns}
        rowKey={({ id }) => id}
        hrefOf={({ id }) => paths.entity(id)}
        nameOf={({ number, name }) => `${number ?? 'no number'} ${name}`}
        search={{ key: 'q', placeholder: 'Number, name or property' }}
        filters={[
          {
            key: 'category',
            label: 'Category',
            several: true,
            options: categories.map(({ key, name }) => ({
              value: key,
              label: name,
              count: facets.ofCategory(key),
            })),
          },
          {
            key: 'state',
            label: 'State',
            several: true,
            options: stateNames.map((name) => ({ value: name, label: name })),
          },
          { key: 'role', label: 'Used as', options: roles },
          { key: 'archived', label: 'Archived', options: archivedOptions, any: 'Not archived' },
          conditionFilter,
          { key: 'number', label: 'Number, exactly' },
          { key: 'guid', label: 'GUID' },
        ]}
        linked={linkedEntities}
        bulk={[
          { label: 'Compare', begin: (rows) => go(paths.compared(rows.map(({ id }) => id))) },
          ...(mayMove ? moves : []).map((toState) => ({
            label: `Move to ${toState}`,
            explain: (count: number) =>
              `${count} will be moved to ${toState}. Items without a transition to that state are left as they are and listed.`,
            run: async ({ id }: Entity, signal: AbortSignal) => {
              const moved = await call('transitionEntity', { id, body: { toState } }, { signal });
              return moved.warnings.map(({ message }) => message);
            },
          })),
          ...(mayEdit
            ? [
                {
                  label: 'Edit properties',
                  begin: (rows: readonly Entity[]) =>
                    setEditing({
                      filter: { ids: rows.map(({ id }) => id) },
                      items: countText(rows.length, 'item'),
                    }),
                  beginAll: () => setEditing({ filter: foundBy(address), items: 'All items of this filter' }),
                },
              ]
            : []),
          ...(mayEdit ? [address.get('archived') === 'only' ? bulkUnarchive : bulkArchive] : []),
          ...(mayRun && hasActions ? [{ label: 'Run an action', begin: setActing }] : []),
        ]}
        empty={
          <EmptyState
            title="No items yet"
            action={mayEdit && <LinkButton href={paths.imports()}>Import a file</LinkButton>}
          >
            Parts come from a design-data system by its connector, from a file, or one by one.
          </EmptyState>
        }
      />
      <Suspense>
        {creating && <NewEntityDialog onClose={() => setCreating(false)} />}
        {editing !== null && <BulkEditDialog {...editing} onClose={() => setEditing(null)} />}
        {acting !== null && <BulkActions entities={acting} onClose={() => setActing(null)} />}
      </Suspense>
    </PageFrame>
  );
}

const archivedOptions = [
  { value: 'true', label: 'With archived items' },
  { value: 'only', label: 'Archived items only' },
];

const bulkArchive = {
  label: 'Archive',
  explain: (count: number) =>
    `${count} will be archived: lists, search and pickers leave them out. Items that are still in use are left as they are and listed with the reasons.`,
  run: async ({ id }: Entity, signal: AbortSignal) => {
    await call('archiveEntity', { id }, { signal });
    return [];
  },
};

const bulkUnarchive = {
  label: 'Unarchive',
  explain: (count: number) => `${count} will be shown in lists again.`,
  run: async ({ id }: Entity, signal: AbortSignal) => {
    await call('unarchiveEntity', { id }, { signal });
    return [];
  },
};

const roles = [
  { value: 'item', label: 'Parts and materials' },
  { value: 'location', label: 'Locations' },
  { value: 'project', label: 'Projects' },
  { value: 'none', label: 'Others, such as orders' },
];

function useColumns(): GridColumn<Entity>[] {
  const categories = useCategories();
  const definitions = usePropertyDefinitions();
  const nameOf = (key: string) => categories.find((category) => category.key === key)?.name ?? key;
  return [
    picturedColumn('number', 'picture', 'Number', { sort: 'number', width: 190, phone: 'title' }),
    textColumn('name', 'Name', { sort: 'name', width: 220, grow: 3, phone: 'detail' }),
    {
      key: 'category',
      header: 'Category',
      width: 120,
      spare: 1,
      grow: 1,
      cell: ({ category }) => nameOf(category),
      text: ({ category }) => category,
    },
    stateColumn,
    textColumn('revision', 'Rev.', { width: 48, spare: 2 }),
    momentColumn('updatedAt', 'Changed', { sort: 'updatedAt', width: 104, spare: 3 }),
    unitColumn,
    { ...codeColumn('E_Guid', 'GUID', { width: 300, hidden: true }), key: 'guid' },
    ...definitions.map(
      (definition): GridColumn<Entity> => ({
        key: `p.${definition.key}`,
        header: labelOf(definition),
        width: 130,
        hidden: true,
        narrow: (
          <Suspense>
            <ColumnCondition property={definition.key} label={labelOf(definition)} />
          </Suspense>
        ),
        // Others are sorted as long as they are few.
        ...(definition.filterable ? { sort: `properties.${definition.key}` } : {}),
        align: definition.type === 'numeric' ? 'end' : undefined,
        cell: ({ properties }) =>
          definition.type === 'reference' && properties[definition.key] !== undefined ? (
            <Suspense>
              <PropertyText definition={definition} value={properties[definition.key]} />
            </Suspense>
          ) : (
            String(properties[definition.key] ?? '')
          ),
        text: ({ properties }) => {
          const value = properties[definition.key];
          return value === undefined ? null : typeof value === 'boolean' ? String(value) : value;
        },
      }),
    ),
  ];
}
