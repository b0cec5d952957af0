/** The columns of a structure: a line of each level, with what it takes in all, and buttons for those that may change it. */
import { Icon } from '../../components/icons.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { PartNumber, Quantity } from '../../components/words.tsx';
import styles from '../entities.module.css';
import { StructureState } from '../lists/entity-columns.tsx';
import type { LevelRow } from '../lists/open-levels.ts';
import { lineTextOf } from './line-fields.tsx';
import type { UseLine } from './use-order.ts';

export function columnsOf(
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
