/** What an entity is built into: its parents, all assemblies above it, or those of them that nothing uses. */
import { numberColumn, quantityColumn, textColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet } from '../components/page-frame.tsx';
import { ViewSwitch } from '../components/view-switch.tsx';
import { StatusWord } from '../components/words.tsx';
import { useAddress } from '../navigation/address.ts';
import { paths } from '../navigation/paths.ts';
import styles from './entities.module.css';
import { useEntity } from './use-entity.ts';
import { WhereUsedAll } from './where-used-all.tsx';

const VIEWS = [
  { key: 'parents', label: 'Parents', levels: undefined },
  { key: 'all', label: 'All levels', levels: 'all' },
  { key: 'top', label: 'Top level', levels: 'top' },
] as const;

export function WhereUsedTab() {
  const { entity } = useEntity();
  const levels = useAddress().get('levels');
  const current = VIEWS.find((view) => view.levels === levels)?.key ?? 'parents';
  return (
    <GridSheet>
      <div className={styles.padded}>
        <ViewSwitch
          label="Levels"
          views={VIEWS.map((view) => ({
            key: view.key,
            label: view.label,
            href: paths.entity(entity.id, 'where-used', { levels: view.levels }),
          }))}
          current={current}
        />
      </div>
      {current === 'parents' ? <Parents /> : <WhereUsedAll entity={entity} onlyTop={current === 'top'} />}
    </GridSheet>
  );
}

function Parents() {
  const { entity } = useEntity();
  return (
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
  );
}
