/** All assemblies that an entity is built into, level by level, with what one of each takes of it. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { nearestFirst } from '../../../clients/typescript/reading-order.ts';
import { ask } from '../../client/ask.ts';
import type { Assembly, Entity } from '../../client/operations.ts';
import { Refusal } from '../../client/request.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { picturedColumn, textColumn } from '../../components/lists/columns.tsx';
import { DataGrid } from '../../components/lists/data-grid.tsx';
import { ExportMenu } from '../../components/lists/export-menu.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { useWide } from '../../components/lists/use-media.ts';
import { EmptyState, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { countText, Quantity, quantityText, StatusWord } from '../../components/words.tsx';
import { useBeside, useIsBeside } from '../../navigation/beside.ts';
import { keepOpenedList } from '../../navigation/neighbours.ts';
import { paths } from '../../navigation/paths.ts';
import styles from '../entities.module.css';
import { StructureState } from '../lists/entity-columns.tsx';
import { UsedByNothing } from '../waits-for.tsx';

/** What a browser holds and sorts without a pause that is felt; only those at the top are few, whatever is gone through. */
const LINKS_MAX = 20_000;
/** The least that the book writes. */
const LEAST = 0.000001;

interface WhereUsedAllProps {
  entity: Entity;
  onlyTop: boolean;
  /** By the newest released revisions, which are what was built. */
  ofReleased?: boolean;
}

export function WhereUsedAll({ entity, onlyTop, ofReleased = false }: WhereUsedAllProps) {
  const query = {
    ...(onlyTop ? { top: 'true' as const } : { linksMax: LINKS_MAX }),
    ...(ofReleased ? { archived: 'true' as const, revisions: 'released' as const } : {}),
  };
  const found = useQuery(ask('getWhereUsedAll', { id: entity.id, query }));
  const rows = useMemo(() => nearestFirst(found.data?.items ?? []), [found.data]);
  const columns = useMemo(() => columnsOf(onlyTop), [onlyTop]);
  if (found.isError && found.data === undefined) {
    const { error } = found;
    return error instanceof Refusal && error.code === 'tree_too_large' ? (
      <TooMuch entity={entity} onlyTop={onlyTop} problem={error.problem} />
    ) : (
      <div className={styles.padded}>
        <ProblemPanel error={error} onRetry={() => void found.refetch()} />
      </div>
    );
  }
  if (found.data === undefined) {
    return (
      <div className={styles.padded}>
        <Waiting lines={6} />
      </div>
    );
  }
  if (rows.length === 0) return <UsedByNothing entity={entity} />;
  return (
    <AboveGrid
      label={`${onlyTop ? 'Top level' : 'All levels'} above ${entity.number ?? entity.name}`}
      noun={['assembly', 'assemblies']}
      said="How many of it one of each takes, along all ways up; the level is that of the shortest."
      columns={columns}
      rows={rows}
    />
  );
}

interface AboveGridProps<Row> {
  label: string;
  /** One row, for the count. */
  noun: readonly [one: string, many: string];
  /** What the figures mean, where there is room to say it. */
  said?: string;
  columns: readonly GridColumn<Row>[];
  rows: readonly Row[];
}

/** Assemblies that have all been read: counted, to be exported and opened. */
export function AboveGrid<Row extends { entityId: string; number: string | null; name: string }>({
  label,
  noun,
  said,
  columns,
  rows,
}: AboveGridProps<Row>) {
  const beside = useBeside();
  const wide = useWide();
  const opensBeside = !useIsBeside() && wide;
  const hrefOf = ({ entityId }: Row) => paths.entity(entityId);
  return (
    <>
      <div className={styles.gridTools}>
        <span className={styles.found} role="status">
          {countText(rows.length, ...noun)}
        </span>
        {said !== undefined && <span className={`${styles.found} wide-only`}>{said}</span>}
        <ExportMenu
          label={label}
          columns={columns}
          read={async () => ({ items: [...rows], nextCursor: null })}
        />
      </div>
      <DataGrid
        label={label}
        columns={columns}
        rows={rows}
        rowKey={({ entityId }) => entityId}
        hrefOf={hrefOf}
        nameOf={({ number, name }) => `${number ?? ''} ${name}`}
        heightMax={640}
        onOpen={() => keepOpenedList({ label, hrefs: rows.map(hrefOf) })}
        openBeside={opensBeside ? (href) => beside.open(href) : undefined}
        currentHref={opensBeside ? beside.href?.split('?')[0] : undefined}
      />
    </>
  );
}

/** Says what there is too much of, and where less of it is. */
function TooMuch({
  entity,
  onlyTop,
  problem,
}: {
  entity: Entity;
  onlyTop: boolean;
  problem: object & { limit?: number; depthLimit?: number };
}) {
  const { limit, depthLimit } = problem;
  const tooMuch =
    depthLimit === undefined
      ? `More than ${countText(limit ?? LINKS_MAX, 'link')} lead up from it`
      : `There are more than ${countText(depthLimit, 'level')} above it`;
  const isElsewhere = !onlyTop && depthLimit === undefined;
  return (
    <EmptyState
      title={onlyTop ? 'Too much is above it' : 'Too much is above it to be listed'}
      action={
        <LinkButton
          variant="default"
          href={paths.entity(entity.id, 'where-used', isElsewhere ? { levels: 'top' } : {})}
        >
          {isElsewhere ? 'Show the top level' : 'Show the parents'}
        </LinkButton>
      }
    >
      {tooMuch}.{' '}
      {isElsewhere
        ? 'See what of it is at the top, or go up from one of its parents.'
        : 'See its parents, and go up from one of them.'}
    </EmptyState>
  );
}

function columnsOf(onlyTop: boolean): GridColumn<Assembly>[] {
  return [
    picturedColumn('number', 'picture', 'Number', { width: 170, phone: 'title' }),
    textColumn('name', 'Name', { width: 160, grow: 1, phone: 'detail' }),
    {
      key: 'level',
      header: 'Level',
      width: 56,
      align: 'end',
      phone: 'detail',
      cell: ({ level, hasParents }) => (
        <>
          <span className={styles.phoneOnly}>level </span>
          {level}
          {!onlyTop && !hasParents && <span className={styles.phoneOnly}>, top</span>}
        </>
      ),
      text: ({ level }) => level,
    },
    {
      key: 'extended',
      header: 'Total quantity',
      width: 100,
      align: 'end',
      phone: 'side',
      cell: ({ extendedQuantity }) =>
        // A product of small quantities is never shown as nothing.
        extendedQuantity < LEAST ? `< ${quantityText(LEAST)}` : <Quantity value={extendedQuantity} />,
      text: ({ extendedQuantity }) => extendedQuantity,
    },
    ...(onlyTop ? [] : [topColumn]),
    {
      key: 'state',
      header: 'State',
      width: 130,
      spare: 2,
      cell: ({ state, category }) => <StructureState state={state} category={category} />,
      text: ({ state }) => state,
    },
    textColumn('revision', 'Rev.', { width: 44, spare: 3 }),
  ];
}

const topColumn: GridColumn<Assembly> = {
  key: 'top',
  header: 'Top level',
  width: 72,
  spare: 1,
  cell: ({ hasParents }) => hasParents || <StatusWord tone="accent">top</StatusWord>,
  text: ({ hasParents }) => (hasParents ? 'no' : 'yes'),
};
