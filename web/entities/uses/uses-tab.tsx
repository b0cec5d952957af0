/** What an entity is made of, level by level, with the quantity that one of it takes. */
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Refusal } from '../../client/request.ts';
import { useMay } from '../../client/session.ts';
import { Icon } from '../../components/icons.tsx';
import { DataGrid } from '../../components/lists/data-grid.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { EmptyState, GridSheet, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { PartNumber, Quantity } from '../../components/words.tsx';
import { useAddress } from '../../navigation/address.ts';
import { paths } from '../../navigation/paths.ts';
import { ConfigurationSelect, useConfiguration } from '../configuration-select.tsx';
import styles from '../entities.module.css';
import { StructureState } from '../lists/entity-columns.tsx';
import { type LevelRow, OPEN_ALL_ROWS_MAX, ORDERED_USES_MAX, useOpenLevels } from '../lists/open-levels.ts';
import { useEntity } from '../use-entity.ts';
import { lineTextOf } from './line-fields.tsx';
import { RemoveUseDialog } from './remove-use-dialog.tsx';
import { StructureExport } from './structure-export.tsx';
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

function columnsOf(
  toggle: (row: LevelRow) => void,
  edit: { edit: (use: UseLine) => void; remove: (use: UseLine) => void } | null,
): GridColumn<LevelRow>[] {
  return [
    {
      key: 'number',
      header: 'Number',
      sort: 'number',
      width: 178,
      grow: 1,
      phone: 'title',
      text: ({ use }) => use.number,
      cell: (row) => (
        <span style={{ paddingLeft: row.level * 20 }}>
          {row.isOpen === undefined ? (
            <span className={styles.noToggle} />
          ) : (
            <button
              type="button"
              tabIndex={-1}
              className={styles.toggle}
              aria-label={`${row.isOpen ? 'Close' : 'Open'} ${row.use.number ?? row.use.name}`}
              onClick={(event) => {
                event.preventDefault();
                event.stopPropagation();
                toggle(row);
              }}
            >
              <Icon name={row.isOpen ? 'down' : 'right'} size={12} />
            </button>
          )}
          <PartNumber number={row.use.number} picture={row.use.picture} />
        </span>
      ),
    },
    {
      key: 'name',
      header: 'Name',
      sort: 'name',
      width: 150,
      grow: 4,
      phone: 'detail',
      cell: ({ use }, isShown) => (
        <>
          {use.name}
          {!isShown('revision') && <span className="muted"> Rev. {shownRevision(use)}</span>}
        </>
      ),
    },
    {
      key: 'findNumber',
      header: 'Find no.',
      sort: 'findNumber',
      width: 56,
      spare: 2,
      phone: 'detail',
      cell: ({ use }) =>
        use.findNumber !== null && (
          <>
            <span className={styles.phoneOnly}>no. </span>
            {use.findNumber}
          </>
        ),
    },
    {
      key: 'quantity',
      header: 'Quantity',
      sort: 'quantity',
      width: 76,
      align: 'end',
      cell: ({ use }) => (
        <>
          <Quantity value={use.quantity} />
          {use.unit !== null && <span className="muted"> {use.unit}</span>}
        </>
      ),
    },
    {
      key: 'line',
      header: 'Designators, note',
      width: 130,
      grow: 1,
      spare: 1,
      cell: ({ use }) => lineTextOf(use),
    },
    {
      key: 'extended',
      header: 'Total',
      width: 72,
      align: 'end',
      phone: 'side',
      cell: ({ extended, use }) => (
        <>
          <Quantity value={extended} />
          {use.unit !== null && <span className={`muted ${styles.phoneOnly}`}> {use.unit}</span>}
        </>
      ),
    },
    {
      key: 'state',
      header: 'State',
      width: 92,
      spare: 3,
      cell: ({ use }) => <StructureState state={use.state} category={use.category} />,
    },
    {
      key: 'revision',
      header: 'Rev.',
      width: 32,
      spare: 4,
      phone: 'detail',
      cell: ({ use }) => (
        <>
          <span className={styles.phoneOnly}>Rev. </span>
          {shownRevision(use)}
        </>
      ),
    },
    ...(edit === null
      ? []
      : [
          {
            key: 'edit',
            header: 'Change',
            width: 60,
            phone: 'side' as const,
            cell: (row: LevelRow) =>
              row.level === 0 && (
                <>
                  <button
                    type="button"
                    className={styles.toggle}
                    aria-label={`Change the line of ${row.use.number ?? row.use.name}`}
                    onClick={() => edit.edit(row.use)}
                  >
                    <Icon name="edit" size={14} />
                  </button>
                  <button
                    type="button"
                    className={styles.toggle}
                    aria-label={`Remove ${row.use.number ?? row.use.name}`}
                    onClick={() => edit.remove(row.use)}
                  >
                    <Icon name="trash" size={14} />
                  </button>
                </>
              ),
          },
        ]),
  ];
}

/** Where the revision with which it was released is not known, the part is shown as it is now. */
function shownRevision({ revision, revisionSource }: UseLine) {
  return revisionSource === 'unknown' ? <span className="muted">{revision}, now</span> : revision;
}
