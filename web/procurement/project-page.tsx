/** What a project is short of, and from there: reserve, order, receive. */
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Shortage } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Dialog } from '../components/dialog.tsx';
import { numberColumn, quantityColumn, textColumn } from '../components/lists/columns.tsx';
import { DataGrid } from '../components/lists/data-grid.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { notify } from '../components/notices.tsx';
import { EmptyState, GridSheet, PageFrame, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, PartNumber, Quantity } from '../components/words.tsx';
import { useAddress, usePathParam } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './procurement.module.css';
import { SUPPLY_CHANGES, SupplyDialog } from './supply-dialog.tsx';

export function ProjectPage() {
  const id = usePathParam('id');
  const address = useAddress();
  const mayWrite = useMay('write');
  const project = useQuery(ask('getEntity', { id }));
  const onlyShort = address.get('all') !== '1';
  const shortages = useQuery({
    ...ask('listShortages', { id, query: { all: onlyShort ? 'false' : 'true' } }),
    placeholderData: (before) => (before?.projectId === id ? before : undefined),
  });
  const [supply, setSupply] = useState<{ shortage: Shortage; how: 'reserve' | 'order' } | null>(null);
  const [raising, setRaising] = useState(false);
  const rows = (shortages.data?.items ?? []).filter(
    (item) => !onlyShort || item.shortageQty > 0 || item.openRequirementQty > 0,
  );
  const short = (shortages.data?.items ?? []).filter(({ shortageQty }) => shortageQty > 0);
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
          {shortages.data !== undefined && <span>{countText(short.length, 'item')} short</span>}
          <Link href={paths.requirements({ projectId: id })}>Requirements</Link>
          <Link href={paths.entity(id, 'uses')}>Structure</Link>
        </>
      }
      actions={
        mayWrite &&
        short.length > 0 && (
          <Button onClick={() => setRaising(true)}>Create requirements for shortages</Button>
        )
      }
    >
      {shortages.isError && shortages.data === undefined ? (
        <ProblemPanel error={shortages.error} onRetry={() => void shortages.refetch()} />
      ) : shortages.data === undefined ? (
        <Waiting lines={6} />
      ) : (
        <GridSheet>
          <div className={styles.tools} style={{ padding: '0 12px 10px' }}>
            <Checkbox
              label="Show covered items too"
              checked={!onlyShort}
              onChange={(event) =>
                address.set({ all: event.currentTarget.checked ? '1' : undefined }, 'replace')
              }
            />
          </div>
          {rows.length === 0 ? (
            <EmptyState
              title={shortages.data.itemCount === 0 ? 'The project uses nothing yet' : 'Nothing is short'}
            >
              {shortages.data.itemCount === 0 && 'Put what it builds into its structure.'}
            </EmptyState>
          ) : (
            <DataGrid
              label="Shortages"
              columns={columnsOf(mayWrite ? (shortage, how) => setSupply({ shortage, how }) : null)}
              rows={rows}
              rowKey={({ itemEntityId }) => itemEntityId}
              hrefOf={({ itemEntityId }) => paths.entity(itemEntityId, 'stock')}
              heightMax={640}
            />
          )}
        </GridSheet>
      )}
      {supply !== null && <SupplyDialog projectId={id} {...supply} onClose={() => setSupply(null)} />}
      {raising && <RaiseDialog projectId={id} count={short.length} onClose={() => setRaising(false)} />}
    </PageFrame>
  );
}

function columnsOf(
  onSupply: ((shortage: Shortage, how: 'reserve' | 'order') => void) | null,
): GridColumn<Shortage>[] {
  return [
    numberColumn('itemNumber', 'Item', { width: 120, phone: 'title' }),
    textColumn('itemName', 'Name', { width: 150, grow: 1, phone: 'detail' }),
    quantityColumn('neededQty', 'Needed', { width: 72 }),
    quantityColumn('reservedQty', 'Reserved', { width: 72, spare: 3 }),
    quantityColumn('availableQty', 'Available', { width: 72 }),
    quantityColumn('onOrderQty', 'On order', { width: 72, spare: 1 }),
    {
      key: 'shortage',
      header: 'Short',
      width: 64,
      align: 'end',
      phone: 'side',
      cell: ({ shortageQty }) =>
        shortageQty > 0 ? (
          <strong className="bad">
            <Quantity value={shortageQty} />
          </strong>
        ) : (
          '0'
        ),
      text: ({ shortageQty }) => shortageQty,
    },
    quantityColumn('openRequirementQty', 'Requested', { width: 72, spare: 2 }),
    ...(onSupply === null
      ? []
      : [
          {
            key: 'supply',
            header: 'Supply',
            width: 162,
            phone: 'side' as const,
            cell: (row: Shortage) => (
              <span className={styles.ways}>
                <Button
                  size="xs"
                  variant="default"
                  // It can be reached and says why not: in a row there is no room for a sentence.
                  data-disabled={row.availableQty <= 0 || undefined}
                  aria-disabled={row.availableQty <= 0}
                  onClick={() =>
                    row.availableQty > 0
                      ? onSupply(row, 'reserve')
                      : notify(`Nothing of ${row.itemNumber ?? row.itemName} is available.`)
                  }
                >
                  Reserve
                </Button>
                <Button size="xs" variant="default" onClick={() => onSupply(row, 'order')}>
                  Order
                </Button>
              </span>
            ),
          },
        ]),
  ];
}

function RaiseDialog({
  projectId,
  count,
  onClose,
}: {
  projectId: string;
  count: number;
  onClose: () => void;
}) {
  const [leavesOnly, setLeavesOnly] = useState(true);
  const raise = useAction('raiseShortages', {
    changes: SUPPLY_CHANGES,
    done: ({ requirements }) => `${countText(requirements.length, 'requirement')} raised.`,
    onDone: onClose,
  });
  return (
    <Dialog
      title="Create requirements"
      submit="Raise"
      onClose={onClose}
      busy={raise.isPending}
      error={raise.error}
      onSubmit={() => raise.mutate({ id: projectId, body: { leavesOnly } })}
    >
      <p>{countText(count, 'item')} short: what is not asked for yet gets a requirement.</p>
      <Checkbox
        label="Purchased parts only"
        checked={leavesOnly}
        onChange={(event) => setLeavesOnly(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
