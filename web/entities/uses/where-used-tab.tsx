/** What an entity is built into: its parents, all assemblies above it, or those of them that nothing uses. */
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { byNumber, findNumbersOf } from '../../../clients/typescript/reading-order.ts';
import { askAll } from '../../client/ask.ts';
import type { Use } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import { picturedColumn, textColumn } from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { GridSheet, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { ViewSwitch } from '../../components/view-switch.tsx';
import { Quantity } from '../../components/words.tsx';
import { useAddress } from '../../navigation/address.ts';
import { paths } from '../../navigation/paths.ts';
import styles from '../entities.module.css';
import { StructureState } from '../lists/entity-columns.tsx';
import { ORDERED_USES_MAX } from '../lists/open-levels.ts';
import { useEntity } from '../use-entity.ts';
import { UsedByNothing, WaitsFor } from '../waits-for.tsx';
import { ReplaceDialog } from './replace-dialog.tsx';
import { AboveGrid, WhereUsedAll } from './where-used-all.tsx';

const VIEWS = [
  { key: 'parents', label: 'Parents', levels: undefined },
  { key: 'released', label: 'Released revisions', levels: 'released' },
  { key: 'all', label: 'All levels', levels: 'all' },
  { key: 'top', label: 'Top level', levels: 'top' },
  { key: 'field', label: 'Products in the field', levels: 'field' },
] as const;

export function WhereUsedTab() {
  const { entity } = useEntity();
  const levels = useAddress().get('levels');
  const mayEdit = useMay('engineering');
  const [replacing, setReplacing] = useState(false);
  const [withArchived, setWithArchived] = useState(false);
  const current = VIEWS.find((view) => view.levels === levels)?.key ?? 'parents';
  return (
    <GridSheet>
      <WaitsFor entity={entity} />
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
      {current === 'parents' && (
        <div className={styles.padded}>
          {mayEdit && (
            <Button size="xs" onClick={() => setReplacing(true)}>
              Replace in assemblies
            </Button>
          )}
          <Checkbox
            my="sm"
            label="With archived parents"
            checked={withArchived}
            onChange={(event) => setWithArchived(event.currentTarget.checked)}
          />
        </div>
      )}
      {current === 'parents' || current === 'released' ? (
        <Parents query={queries[current === 'parents' && withArchived ? 'archived' : current]} />
      ) : (
        <WhereUsedAll entity={entity} onlyTop={current !== 'all'} ofReleased={current === 'field'} />
      )}
      {replacing && <ReplaceDialog entity={entity} onClose={() => setReplacing(false)} />}
    </GridSheet>
  );
}

const queries = {
  parents: {},
  archived: { archived: 'true' },
  released: { archived: 'true', revisions: 'released' },
} as const;

/** By number, as people look for them; of more than are read for it, as they come. */
function Parents({ query }: { query: (typeof queries)[keyof typeof queries] }) {
  const { entity } = useEntity();
  const found = useQuery({
    ...askAll('listWhereUsed', { id: entity.id, query }, ORDERED_USES_MAX),
    // Somebody may have built it into something since this tab was shown last.
    staleTime: 0,
  });
  const rows = useMemo(() => byNumber(found.data ?? []), [found.data]);
  if (found.data === undefined) {
    return (
      <div className={styles.padded}>
        {found.isError ? (
          <ProblemPanel error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <Waiting lines={6} />
        )}
      </div>
    );
  }
  const label = `Where used ${entity.number ?? ''}`;
  if (rows.length === 0) return <UsedByNothing entity={entity} />;
  if (rows.length < ORDERED_USES_MAX)
    return <AboveGrid label={label} noun={['parent', 'parents']} columns={columns} rows={rows} />;
  return (
    <>
      <p className={`${styles.padded} muted`}>
        More than {ORDERED_USES_MAX.toLocaleString('en')} parents: they are in the order in which they were
        made.
      </p>
      <List
        label={label}
        noun={['parent', 'parents']}
        name="listWhereUsed"
        input={{ id: entity.id, query }}
        rowKey={({ entityId }) => entityId}
        hrefOf={({ entityId }) => paths.entity(entityId)}
        nameOf={({ number, name }) => `${number ?? ''} ${name}`}
        heightMax={640}
        columns={columns}
        empty={null}
      />
    </>
  );
}

const columns: GridColumn<Use>[] = [
  picturedColumn('number', 'picture', 'Number', { width: 180, phone: 'title' }),
  textColumn('name', 'Name', { width: 220, grow: 1, phone: 'detail' }),
  {
    key: 'findNumber',
    header: 'Find no.',
    width: 72,
    spare: 1,
    phone: 'detail',
    cell: (use) =>
      findNumbersOf(use) !== '' && (
        <>
          <span className={styles.phoneOnly}>no. </span>
          {findNumbersOf(use)}
        </>
      ),
    text: findNumbersOf,
  },
  {
    key: 'quantity',
    header: 'Quantity',
    width: 90,
    align: 'end',
    phone: 'side',
    cell: ({ quantity, unit }) => (
      <>
        <Quantity value={quantity} />
        {unit !== null && <span className="muted"> {unit}</span>}
      </>
    ),
    text: ({ quantity }) => quantity,
  },
  {
    key: 'state',
    header: 'State',
    width: 170,
    spare: 2,
    cell: ({ state, category }) => <StructureState state={state} category={category} />,
    text: ({ state }) => state,
  },
  {
    key: 'revision',
    header: 'Rev.',
    width: 44,
    phone: 'detail',
    cell: ({ revision }) => (
      <>
        <span className={styles.phoneOnly}>Rev. </span>
        {revision}
      </>
    ),
    text: ({ revision }) => revision,
  },
];
