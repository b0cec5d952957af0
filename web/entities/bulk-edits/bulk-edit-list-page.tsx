/** All bulk edits, newest first. */
import type { BulkEdit, PropertyDefinition } from '../../client/operations.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { momentColumn } from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { EmptyState, PageFrame } from '../../components/page-frame.tsx';
import { Quantity, StatusWord } from '../../components/words.tsx';
import { paths } from '../../navigation/paths.ts';
import { usePropertyDefinitions } from '../configuration.ts';
import { BulkEditStatus, changeWords, titleOf } from './bulk-edit-words.tsx';

const REFETCH_MS = 5000;

export function BulkEditListPage() {
  const definitions = usePropertyDefinitions();
  return (
    <PageFrame title="Bulk edits" filled>
      <List
        label="Bulk edits"
        noun={['bulk edit', 'bulk edits']}
        name="listBulkEdits"
        input={{}}
        columns={columnsOf(definitions)}
        rowKey={({ id }) => id}
        hrefOf={({ id }) => paths.bulkEdit(id)}
        nameOf={({ createdAt, ...edit }) => `${titleOf({ createdAt, ...edit })} of ${createdAt}`}
        refetchMs={REFETCH_MS}
        empty={
          <EmptyState
            title="No bulk edits yet"
            action={<LinkButton href={paths.entities()}>Choose items</LinkButton>}
          >
            Filter the list of items, select some or all, and choose <em>Edit properties</em>.
          </EmptyState>
        }
      />
    </PageFrame>
  );
}

const count = (key: 'changed' | 'unchanged' | 'refused', header: string): GridColumn<BulkEdit> => ({
  key,
  header,
  width: 92,
  align: 'end',
  cell: ({ [key]: value }) => (value === 0 ? <span className="muted">0</span> : <Quantity value={value} />),
  text: ({ [key]: value }) => value,
});

function columnsOf(definitions: readonly PropertyDefinition[]): GridColumn<BulkEdit>[] {
  return [
    {
      key: 'change',
      header: 'Change',
      width: 300,
      grow: 2,
      phone: 'title',
      cell: (edit) => (
        <>
          {changeWords(edit.change, definitions).join(', ')}{' '}
          {edit.dryRun && <StatusWord tone="quiet">dry run</StatusWord>}
          {edit.undoes !== null && <StatusWord tone="quiet">undo</StatusWord>}
        </>
      ),
      text: (edit) => changeWords(edit.change, definitions).join(', '),
    },
    {
      key: 'status',
      header: 'Status',
      width: 104,
      phone: 'side',
      cell: (edit) => <BulkEditStatus edit={edit} />,
      text: ({ status }) => status,
    },
    momentColumn('createdAt', 'Started', { width: 110, phone: 'detail' }),
    {
      key: 'by',
      header: 'By',
      width: 120,
      grow: 1,
      spare: 1,
      phone: 'detail',
      cell: ({ by }) => by.name,
      text: ({ by }) => by.name,
    },
    count('changed', 'Changed'),
    { ...count('unchanged', 'Unchanged'), spare: 3 },
    { ...count('refused', 'Refused'), spare: 2 },
  ];
}
