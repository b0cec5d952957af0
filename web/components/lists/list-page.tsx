/**
 * The page of a list: search, filters, sort and columns stand in the address and in saved views; the rows come page
 * by page; what is found can be exported, and acted on as a whole.
 */
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo } from 'react';
import { askPages, type ItemOf, type ListName, page } from '../../client/ask.ts';
import type { CsvTable } from '../../client/operations.ts';
import type { Input } from '../../client/request.ts';
import { useAddress } from '../../navigation/address.ts';
import { useBeside, useIsBeside } from '../../navigation/beside.ts';
import { keepOpenedList } from '../../navigation/neighbours.ts';
import { EmptyState, Waiting } from '../page-frame.tsx';
import { ProblemPanel } from '../problem-panel.tsx';
import { countText } from '../words.tsx';
import type { BulkAction, BulkBar as BulkBarOf } from './bulk-bar.tsx';
import { ColumnMenu, shownColumns } from './column-menu.tsx';
import { useColumnWidths } from './column-widths.ts';
import { DataGrid } from './data-grid.tsx';
import { ExportMenu } from './export-menu.tsx';
import { type Filter, FilterBar } from './filter-bar.tsx';
import type { GridColumn } from './grid-column.ts';
import { fillingText, isFilling } from './index-filling.ts';
import styles from './list-page.module.css';
import { SavedViews, useOpenedView } from './saved-views.tsx';
import { useWide } from './use-media.ts';
import { useSelection } from './use-selection.ts';

// It is loaded when rows are chosen, so that the first page is small.
const BulkBar = lazy(async () => ({
  default: (await import('./bulk-bar.tsx')).BulkBar,
})) as unknown as typeof BulkBarOf;

/** As many as the service gives at once. */
const EXPORT_PAGE = 1000;

/** A number of rows, or the bound at which the service stopped to count. */
export interface Total {
  count: number;
  isAtLeast: boolean;
}

export interface ListProps<Name extends ListName> {
  /** Names the list: in exports, in saved views, to the screen reader. */
  label: string;
  /** One of its rows, for counts: "1 entity". */
  noun: readonly [one: string, many: string];
  name: Name;
  /** What the list is always asked with; filters of the address are added to its query. */
  input: Input<Name>;
  columns: readonly GridColumn<ItemOf<Name>>[];
  rowKey: (row: ItemOf<Name>) => string;
  hrefOf?: (row: ItemOf<Name>) => string | null;
  nameOf?: (row: ItemOf<Name>) => string;
  filters?: readonly Filter[];
  /** The parameter of free text, and what it searches. */
  search?: { key: string; placeholder: string };
  /** The list can be sorted; what it is sorted by at first. */
  sort?: { by: string; order: 'asc' | 'desc' };
  bulk?: readonly BulkAction<ItemOf<Name>>[];
  /** Shown while there is nothing at all. */
  empty: ReactNode;
  /** The number of all rows, if the service counts them. */
  total?: Total | undefined;
  tools?: ReactNode;
  /** The service can show it to a spreadsheet: as what table, or why not as it is filtered now. */
  linked?: (query: Readonly<Record<string, unknown>>, columns: readonly string[]) => CsvTable | string;
  heightMax?: number;
  /** Narrower than this, in pixels, a row has two lines. */
  tallBelow?: number;
  /** Where a page has two lists: what tells their columns apart in the address. */
  scope?: string;
  refetchMs?: number;
}

export function List<Name extends ListName>(props: ListProps<Name>) {
  type Row = ItemOf<Name>;
  const { name, columns, rowKey, filters = [], search } = props;
  const address = useAddress();
  const sort = sortOf(props, address.get('sort'), address.get('order'));
  const given = useMemo(() => {
    const keys = [...filters.map(({ key }) => key), ...(search === undefined ? [] : [search.key])];
    return Object.fromEntries(
      keys.flatMap((key) => {
        const values = address.all(key);
        return values.length === 0 ? [] : [[key, values.length === 1 ? values[0] : values]];
      }),
    );
  }, [address, filters, search]);
  const input = {
    ...props.input,
    query: {
      ...(props.input as { query?: object }).query,
      ...given,
      ...(sort === undefined ? {} : { sort: sort.by, order: sort.order }),
    },
  } as Input<Name>;
  const isOpening = useOpenedView(props.label);
  const query = useInfiniteQuery({
    ...askPages(name, input),
    enabled: !isOpening,
    refetchInterval: props.refetchMs ?? false,
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const rows = useMemo(() => (query.data?.pages ?? []).flatMap((page) => page.items as Row[]), [query.data]);
  const lacksSome = (query.data?.pages ?? []).some(isFilling);
  const selection = useSelection(rows.map(rowKey));
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  // A page may be empty while the list goes on.
  useEffect(() => {
    if (rows.length === 0) onEnd();
  }, [rows.length, onEnd]);
  const columnsKey = props.scope === undefined ? 'columns' : `${props.scope}-columns`;
  const shown = shownColumns(columns, address.get(columnsKey));
  const widths = useColumnWidths(props.label);
  const filtered = Object.keys(given).length > 0;
  const bulk = props.bulk ?? [];
  const beside = useBeside();
  const wide = useWide();
  const within = useIsBeside();
  const opensBeside = wide && !within;
  const total = hasNextPage ? props.total : { count: rows.length, isAtLeast: false };

  return (
    <>
      <div className={`${styles.tools} no-print`}>
        <FilterBar
          filters={filters}
          search={search}
          sorts={columns.flatMap(({ sort: by, header }) => (by === undefined ? [] : [{ by, header }]))}
          sort={sort}
        />
        <span className={styles.count} role="status">
          {query.isPending || (query.isError && rows.length === 0)
            ? ''
            : total === undefined
              ? `${countText(rows.length, ...props.noun)} loaded, more below`
              : `${total.isAtLeast ? 'more than ' : ''}${countText(total.count, ...props.noun)}`}
        </span>
        <span className={styles.right}>
          {props.tools}
          <SavedViews list={props.label} />
          <ColumnMenu columns={columns} parameter={columnsKey} widths={widths} />
          <ExportMenu
            label={props.label}
            read={(cursor, signal) => page(name, input, { limit: EXPORT_PAGE, cursor }, signal)}
            columns={shown}
            linked={
              props.linked &&
              (() =>
                props.linked?.(
                  input.query ?? {},
                  shown.map(({ key }) => key),
                ) ?? '')
            }
          />
        </span>
      </div>
      {lacksSome && (
        <p className={`${styles.padded} muted`} role="status">
          {fillingText(props.noun[1])}
        </p>
      )}
      {selection.count > 0 && bulk.length > 0 && (
        <Suspense>
          <BulkBar
            name={name}
            input={input}
            noun={props.noun}
            actions={bulk}
            rows={rows}
            rowKey={rowKey}
            selection={selection}
            more={hasNextPage}
          />
        </Suspense>
      )}
      {query.isError && rows.length === 0 ? (
        <div className={styles.padded}>
          <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
        </div>
      ) : query.isPending || (rows.length === 0 && hasNextPage) ? (
        <div className={styles.padded}>
          <Waiting lines={6} />
        </div>
      ) : rows.length === 0 ? (
        filtered ? (
          <NothingFound keys={Object.keys(given)} noun={props.noun[1]} />
        ) : (
          props.empty
        )
      ) : (
        <DataGrid
          label={props.label}
          columns={shown}
          rows={rows}
          rowKey={rowKey}
          hrefOf={props.hrefOf}
          nameOf={props.nameOf}
          onEnd={onEnd}
          growing={isFetchingNextPage}
          sort={sort}
          onSort={(by) =>
            address.set({ sort: by, order: sort?.by === by && sort.order === 'asc' ? 'desc' : 'asc' })
          }
          selection={bulk.length > 0 ? selection : undefined}
          heightMax={props.heightMax}
          tallBelow={props.tallBelow}
          onOpen={() =>
            keepOpenedList({ label: props.label, hrefs: rows.flatMap((row) => props.hrefOf?.(row) ?? []) })
          }
          openBeside={opensBeside ? (href) => beside.open(href) : undefined}
          currentHref={opensBeside ? beside.href?.split('?')[0] : undefined}
          keepsColumns={address.get(columnsKey) !== undefined}
          widths={widths}
        />
      )}
    </>
  );
}

function sortOf(
  { sort, columns }: Pick<ListProps<ListName>, 'sort'> & { columns: readonly { sort?: string }[] },
  by: string | undefined,
  order: string | undefined,
): { by: string; order: 'asc' | 'desc' } | undefined {
  if (sort === undefined || by === undefined || !columns.some((column) => column.sort === by)) return sort;
  return { by, order: order === 'desc' ? 'desc' : 'asc' };
}

function NothingFound({ keys, noun }: { keys: readonly string[]; noun: string }) {
  const address = useAddress();
  return (
    <EmptyState
      title="No results"
      action={
        <button
          type="button"
          className={styles.plain}
          onClick={() => address.set(Object.fromEntries(keys.map((key) => [key, undefined])))}
        >
          Show all {noun}
        </button>
      }
    >
      Try fewer words or filters.
    </EmptyState>
  );
}
