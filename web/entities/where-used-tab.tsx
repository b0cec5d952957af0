/** What an entity is built into. */
import { List } from '../components/lists/list-page.tsx';
import { EmptyState } from '../components/page-frame.tsx';
import { PartNumber, Quantity, StatusWord } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './entities.module.css';
import { useEntity } from './use-entity.ts';

export function WhereUsedTab() {
  const { entity } = useEntity();
  return (
    <div className={styles.gridSheet}>
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
          {
            key: 'number',
            header: 'Number',
            width: 180,
            phone: 'title',
            cell: ({ number }) => <PartNumber number={number} />,
            text: ({ number }) => number,
          },
          {
            key: 'name',
            header: 'Name',
            width: 220,
            grow: 1,
            phone: 'detail',
            cell: ({ name }) => name,
            text: ({ name }) => name,
          },
          {
            key: 'quantity',
            header: 'Takes',
            width: 90,
            align: 'end',
            phone: 'side',
            cell: ({ quantity }) => <Quantity value={quantity} />,
            text: ({ quantity }) => quantity,
          },
          {
            key: 'state',
            header: 'State',
            width: 170,
            cell: ({ state }) => <StatusWord tone="quiet">{state}</StatusWord>,
            text: ({ state }) => state,
          },
          {
            key: 'revision',
            header: 'Rev.',
            width: 44,
            cell: ({ revision }) => revision,
            text: ({ revision }) => revision,
          },
        ]}
        empty={<EmptyState title="Nothing uses it">It is at the top, or on its own.</EmptyState>}
      />
    </div>
  );
}
