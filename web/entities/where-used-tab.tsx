/** What an entity is built into. */
import { numberColumn, quantityColumn, textColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet } from '../components/page-frame.tsx';
import { StatusWord } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import { useEntity } from './use-entity.ts';

export function WhereUsedTab() {
  const { entity } = useEntity();
  return (
    <GridSheet>
      <List
        label={`Where used ${entity.number ?? ''}`}
        noun={['parent', 'parents']}
        name="listWhereUsed"
        input={{ id: entity.id }}
        rowKey={({ entityId }) => entityId}
        hrefOf={({ entityId }) => paths.entity(entityId, 'where-used')}
        nameOf={({ number, name }) => `${number ?? ''} ${name}`}
        heightMax={640}
        columns={[
          numberColumn('number', 'Number', { width: 180, phone: 'title' }),
          textColumn('name', 'Name', { width: 220, grow: 1, phone: 'detail' }),
          quantityColumn('quantity', 'Takes', { width: 90, phone: 'side' }),
          {
            key: 'state',
            header: 'State',
            width: 170,
            cell: ({ state }) => <StatusWord tone="quiet">{state}</StatusWord>,
            text: ({ state }) => state,
          },
          textColumn('revision', 'Rev.', { width: 44 }),
        ]}
        empty={<EmptyState title="Nothing uses it">It is at the top, or on its own.</EmptyState>}
      />
    </GridSheet>
  );
}
