/** What a project is short of, and from there: reserve, order, receive. */
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Shortage } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { ColumnMenu, shownColumns } from '../components/lists/column-menu.tsx';
import { ExportMenu } from '../components/lists/export-menu.tsx';
import { FilterBar } from '../components/lists/filter-bar.tsx';
import listStyles from '../components/lists/list-page.module.css';
import { useSelection } from '../components/lists/use-selection.ts';
import { EmptyState, GridSheet, PageFrame, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, PartNumber } from '../components/words.tsx';
import {
  type Configuration,
  ConfigurationSelect,
  useConfiguration,
} from '../entities/configuration-select.tsx';
import { useAddress, usePathParam } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { OrderShortagesDialog } from './orders/order-shortages-dialog.tsx';
import styles from './procurement.module.css';
import { bySupplier, PurchasedShortages } from './purchased-shortages.tsx';
import { ReserveShortagesDialog } from './reserve-shortages-dialog.tsx';
import {
  ShortageGrid,
  type Supply,
  SupplyBar,
  shortageColumns,
  useSupplyWays,
  withoutSupplier,
} from './shortage-grid.tsx';
import { SUPPLY_CHANGES, SupplyDialog } from './supply-dialog.tsx';

type Sort = { by: (typeof SORTS)[number]; order: 'asc' | 'desc' };
const SORTS = ['structure', 'number', 'name', 'supplier', 'shortageQty'] as const;
const MADE_HEIGHT_MAX = 260;

export function ProjectPage() {
  const id = usePathParam('id');
  const address = useAddress();
  const mayOrder = useMay('procurement');
  const ways = useSupplyWays();
  const project = useQuery(ask('getEntity', { id }));
  const onlyShort = address.get('all') !== '1';
  const configuration = useConfiguration();
  const q = address.get('q');
  // A chosen column asks for one list in its order.
  const isGrouped = address.get('sort') === undefined;
  const sort = sortOf(address.get('sort'), address.get('order'));
  const shortages = useQuery({
    ...ask('listShortages', {
      id,
      query: {
        ...(onlyShort ? {} : { all: 'true' as const }),
        ...(q === undefined ? {} : { q }),
        configuration,
        sort: sort.by,
        order: sort.order,
      },
    }),
    placeholderData: (before) => (before?.projectId === id ? before : undefined),
  });
  const [supply, setSupply] = useState<{ rows: readonly Shortage[]; how: Supply } | null>(null);
  const [raising, setRaising] = useState(false);
  const data = shortages.data;
  const rows = data?.items ?? [];
  const made = rows.filter(({ isAssembly }) => isAssembly);
  const purchased = rows.filter(({ isAssembly }) => !isAssembly);
  const inOrder = isGrouped ? bySupplier(purchased).flatMap(({ items }) => items) : purchased;
  const onSupply =
    ways.length > 0 ? (some: readonly Shortage[], how: Supply) => setSupply({ rows: some, how }) : null;
  const selection = useSelection(rows.map(({ itemEntityId }) => itemEntityId));
  const columns = shortageColumns(onSupply);
  const shown = shownColumns(columns, address.get('columns'));
  const grid = {
    columns: shown,
    sort,
    onSort: (by: string) =>
      address.set({ sort: by, order: sort.by === by && sort.order === 'asc' ? 'desc' : 'asc' }),
    onSupply,
    selection,
    keepsColumns: address.get('columns') !== undefined,
  };
  const [only] = supply?.rows ?? [];
  return (
    <PageFrame
      title={
        project.data === undefined ? (
          'Project'
        ) : (
          <>
            <PartNumber number={project.data.number} /> {project.data.name}
          </>
        )
      }
      plainTitle={project.data?.name ?? 'Project'}
      above={{ label: 'Projects', href: paths.procurement() }}
      lead={
        <>
          {data !== undefined && <span>{countText(data.shortCount, 'item')} short</span>}
          {data !== undefined && data.openRequirementCount > 0 && (
            <Link href={paths.requirements({ projectId: id, status: 'open' })}>
              {countText(data.openRequirementCount, 'item')} requested and not covered yet
            </Link>
          )}
          <Link href={paths.requirements({ projectId: id })}>Requirements</Link>
          <Link href={paths.entity(id, 'uses')}>Structure</Link>
        </>
      }
      actions={
        mayOrder &&
        data !== undefined &&
        data.shortCount > 0 && (
          <Button onClick={() => setRaising(true)}>Create requirements for shortages</Button>
        )
      }
    >
      {shortages.isError && data === undefined ? (
        <ProblemPanel error={shortages.error} onRetry={() => void shortages.refetch()} />
      ) : data === undefined ? (
        <Waiting lines={6} />
      ) : (
        <GridSheet>
          <div className={`${listStyles.tools} no-print`}>
            <FilterBar
              filters={[]}
              search={{ key: 'q', placeholder: 'Number or name' }}
              sorts={columns.flatMap(({ sort: by, header }) => (by === undefined ? [] : [{ by, header }]))}
              sort={sort}
            />
            <ConfigurationSelect />
            <Checkbox
              label="By supplier"
              checked={isGrouped}
              onChange={(event) =>
                address.set(
                  { sort: event.currentTarget.checked ? undefined : 'structure', order: undefined },
                  'replace',
                )
              }
            />
            <Checkbox
              label="All needed items"
              checked={!onlyShort}
              onChange={(event) =>
                address.set({ all: event.currentTarget.checked ? '1' : undefined }, 'replace')
              }
            />
            <span className={listStyles.count} role="status">
              {countText(rows.length, 'item')}
            </span>
            <span className={listStyles.right}>
              <ColumnMenu columns={columns} parameter="columns" />
              <ExportMenu
                label="Shortages"
                columns={shown}
                read={async () => ({ items: [...made, ...inOrder], nextCursor: null })}
              />
            </span>
          </div>
          {shortages.isError && <ProblemPanel error={shortages.error} />}
          {rows.length === 0 ? (
            <NothingShort itemCount={data.itemCount} isSearched={q !== undefined} />
          ) : (
            <>
              <SupplyBar rows={rows} selection={selection} onSupply={onSupply} />
              {made.length > 0 && (
                <>
                  <h2 className={styles.part}>Made parts</h2>
                  <ShortageGrid
                    {...grid}
                    columns={withoutSupplier(shown)}
                    label="Made parts"
                    rows={made}
                    heightMax={MADE_HEIGHT_MAX}
                  />
                  <h2 className={styles.part}>Purchased parts</h2>
                </>
              )}
              {purchased.length > 0 ? (
                <PurchasedShortages rows={purchased} isGrouped={isGrouped} grid={grid} mayOrder={mayOrder} />
              ) : (
                <p className={styles.nothing}>Nothing is short that is bought.</p>
              )}
            </>
          )}
        </GridSheet>
      )}
      {supply !== null && supply.rows.length === 1 && only !== undefined && (
        <SupplyDialog projectId={id} shortage={only} how={supply.how} onClose={() => setSupply(null)} />
      )}
      {supply !== null && supply.rows.length > 1 && supply.how === 'order' && (
        <OrderShortagesDialog
          projectId={id}
          shortages={supply.rows}
          configuration={configuration}
          onClose={() => setSupply(null)}
        />
      )}
      {supply !== null && supply.rows.length > 1 && supply.how === 'reserve' && (
        <ReserveShortagesDialog
          projectId={id}
          configuration={configuration}
          shortages={supply.rows}
          onClose={() => setSupply(null)}
        />
      )}
      {raising && data !== undefined && (
        <RaiseDialog
          projectId={id}
          configuration={configuration}
          count={data.shortCount}
          onClose={() => setRaising(false)}
        />
      )}
    </PageFrame>
  );
}

function sortOf(by: string | undefined, order: string | undefined): Sort {
  return { by: SORTS.find((one) => one === by) ?? 'structure', order: order === 'desc' ? 'desc' : 'asc' };
}

function NothingShort({ itemCount, isSearched }: { itemCount: number; isSearched: boolean }) {
  if (isSearched) return <EmptyState title="No results">Try fewer words.</EmptyState>;
  return itemCount === 0 ? (
    <EmptyState title="The project uses nothing yet">Put what it builds into its structure.</EmptyState>
  ) : (
    <EmptyState title="Nothing is short">“All needed items” shows what covers them.</EmptyState>
  );
}

function RaiseDialog({
  projectId,
  count,
  configuration,
  onClose,
}: {
  projectId: string;
  count: number;
  configuration: Configuration;
  onClose: () => void;
}) {
  const [leavesOnly, setLeavesOnly] = useState(true);
  const raise = useAction('raiseShortages', {
    changes: SUPPLY_CHANGES,
    done: ({ requirements, changed }) =>
      `${countText(requirements.length, 'requirement')} created${changed.length === 0 ? '' : `, ${changed.length} reduced or cancelled`}.`,
    onDone: onClose,
  });
  return (
    <Dialog
      title="Create requirements"
      submit="Create"
      onClose={onClose}
      busy={raise.isPending}
      error={raise.error}
      onSubmit={() => raise.mutate({ id: projectId, body: { leavesOnly, configuration } })}
    >
      <p>
        {countText(count, 'item')} short. A requirement is created for each quantity that has none yet.
        Requirements that the structure needs less of now are reduced or cancelled.
      </p>
      <Checkbox
        label="Purchased parts only"
        checked={leavesOnly}
        onChange={(event) => setLeavesOnly(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
