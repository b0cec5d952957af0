/** What an entity is made of, level by level, with the quantity that one of it takes. */
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Refusal } from '../../client/request.ts';
import { useMay } from '../../client/session.ts';
import { Icon } from '../../components/icons.tsx';
import { DataGrid } from '../../components/lists/data-grid.tsx';
import { EmptyState, GridSheet, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { useAddress } from '../../navigation/address.ts';
import { paths } from '../../navigation/paths.ts';
import { ConfigurationSelect, useConfiguration } from '../configuration-select.tsx';
import styles from '../entities.module.css';
import { OPEN_ALL_ROWS_MAX, ORDERED_USES_MAX, useOpenLevels } from '../lists/open-levels.ts';
import { useEntity } from '../use-entity.ts';
import { RemoveUseDialog } from './remove-use-dialog.tsx';
import { StructureExport } from './structure-export.tsx';
import { columnsOf } from './use-columns.tsx';
import { UseDialog } from './use-dialog.tsx';
import { USE_SORTS, type UseLine, type UseOrder } from './use-order.ts';

export function UsesTab() {
  const { entity } = useEntity();
  const configuration = useConfiguration();
  // Another entity is another tree: nothing of the one before may show.
  return <UsesTree key={`${entity.id} ${configuration}`} />;
}

function UsesTree() {
  const { entity } = useEntity();
  const configuration = useConfiguration();
  // Only the current structure can be changed.
  const mayEdit = useMay('engineering') && configuration === 'current';
  const [sort, chooseSort] = useSort();
  const levels = useOpenLevels(entity.id, sort, configuration);
  const [editing, setEditing] = useState<UseLine | 'new' | null>(null);
  const [removing, setRemoving] = useState<UseLine | null>(null);
  const done = () => {
    setEditing(null);
    setRemoving(null);
    void levels.refresh();
  };
  const isEmpty = levels.rows.length === 0;
  const isUnreleased = levels.error instanceof Refusal && levels.error.code === 'revision_not_found';
  return (
    <GridSheet>
      <div className={styles.gridTools}>
        <ConfigurationSelect />
        <Button variant="default" size="xs" disabled={isEmpty} onClick={() => void levels.openAll()}>
          Open all
        </Button>
        <Button variant="default" size="xs" disabled={isEmpty} onClick={levels.closeAll}>
          Close all
        </Button>
        {levels.rows.length >= OPEN_ALL_ROWS_MAX && (
          <span className="muted">Open all stops at {OPEN_ALL_ROWS_MAX} rows; single parts open on.</span>
        )}
        {levels.isCut && (
          <span className="muted">
            More than {ORDERED_USES_MAX.toLocaleString('en')} parts in one: those behind are in the order in
            which they were made.
          </span>
        )}
        {levels.readSoFar > 0 && (
          <span className="muted" role="status">
            {levels.readSoFar.toLocaleString('en')} parts read, and more to come
          </span>
        )}
        {!isEmpty && <StructureExport entity={entity} configuration={configuration} />}
        {mayEdit ? (
          <Button
            size="xs"
            leftSection={<Icon name="add" size={14} />}
            disabled={levels.first === null}
            onClick={() => setEditing('new')}
          >
            Add a part
          </Button>
        ) : (
          <span />
        )}
      </div>
      {levels.error !== undefined && !isUnreleased && (
        <ProblemPanel error={levels.error} onRetry={levels.restart} />
      )}
      {isEmpty && levels.isReading ? (
        <div className={styles.padded}>
          <Waiting />
        </div>
      ) : isUnreleased ? (
        <EmptyState title="It was never released">Choose the current revisions to see its parts.</EmptyState>
      ) : isEmpty && levels.error === undefined ? (
        configuration === 'current' ? (
          <EmptyState title="No children yet">Import a structure, or add parts here.</EmptyState>
        ) : (
          <EmptyState title="It had no parts">Its newest released revision was made of nothing.</EmptyState>
        )
      ) : (
        <DataGrid
          label="Structure"
          columns={columnsOf(
            levels.toggle,
            mayEdit ? { edit: (use) => setEditing(use), remove: (use) => setRemoving(use) } : null,
          )}
          rows={levels.rows}
          rowKey={({ path }) => path}
          hrefOf={({ use }) => paths.entity(use.entityId)}
          nameOf={({ use }) => `${use.number ?? ''} ${use.name}`}
          compact
          tree={{ levelOf: ({ level }) => level, isOpen: ({ isOpen }) => isOpen, toggle: levels.toggle }}
          {...(sort.by === null ? {} : { sort: { by: sort.by, order: sort.order } })}
          onSort={chooseSort}
          onEnd={levels.readOn}
          growing={levels.isReading}
          heightMax={640}
        />
      )}
      {editing !== null && levels.first !== null && (
        <UseDialog
          parent={entity}
          use={editing === 'new' ? null : editing}
          read={levels.first}
          reread={levels.refresh}
          onClose={() => setEditing(null)}
          onDone={done}
        />
      )}
      {removing !== null && (
        <RemoveUseDialog
          parent={entity}
          use={removing}
          reread={levels.refresh}
          onClose={() => setRemoving(null)}
          onDone={done}
        />
      )}
    </GridSheet>
  );
}

/** In the address, so that it is there again after Back and a reload; the third click is the drawing's order again. */
function useSort(): [UseOrder, (by: string) => void] {
  const address = useAddress();
  const by = USE_SORTS.find((one) => one === address.get('sort')) ?? null;
  const order = address.get('order') === 'desc' ? 'desc' : 'asc';
  const choose = (wanted: string) => {
    if (wanted !== by) address.set({ sort: wanted, order: undefined }, 'replace');
    else if (order === 'asc') address.set({ order: 'desc' }, 'replace');
    else address.set({ sort: undefined, order: undefined }, 'replace');
  };
  return [useMemo(() => ({ by, order }), [by, order]), choose];
}
