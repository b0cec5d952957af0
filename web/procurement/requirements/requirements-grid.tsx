/** Requirements of all projects, or of one. */
import { useState } from 'react';
import type { MaterialRequirement } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import {
  momentColumn,
  numberColumn,
  quantityColumn,
  textColumn,
  unitColumn,
} from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { EmptyState } from '../../components/page-frame.tsx';
import { Due, PartNumber, StatusWord } from '../../components/words.tsx';
import { entityFilter } from '../../entities/lists/entity-filter.tsx';
import { useTotal } from '../../entities/uses/use-total.ts';
import { useAddress } from '../../navigation/address.ts';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { OrderRequirementsDialog } from '../orders/order-requirements-dialog.tsx';

export function RequirementsGrid({ projectId }: { projectId?: string }) {
  const mayOrder = useMay('procurement');
  const status = useAddress().get('status');
  const total = useTotal({
    behaviours: ['materialRequirement'],
    // The states follow the status.
    state: status === undefined ? undefined : `${status.slice(0, 1).toUpperCase()}${status.slice(1)}`,
    others: ['q', 'projectId', 'itemEntityId', 'requiredBefore', 'overdue'],
  });
  const [ordering, setOrdering] = useState<readonly MaterialRequirement[] | null>(null);
  return (
    <>
      <List
        label="Requirements"
        noun={['requirement', 'requirements']}
        name="listRequirements"
        input={{ query: { order: 'desc', ...(projectId === undefined ? {} : { projectId }) } }}
        rowKey={({ id }) => id}
        hrefOf={({ id }) => paths.requirement(id)}
        heightMax={680}
        total={projectId === undefined ? total : undefined}
        search={{ key: 'q', placeholder: 'Requirement, item or project' }}
        filters={projectId === undefined ? [...filters, byProject] : filters}
        columns={projectId === undefined ? columns : columns.filter(({ key }) => key !== 'project')}
        empty={
          <EmptyState
            title="Nothing is asked for"
            action={
              <Link href={projectId === undefined ? paths.procurement() : paths.project(projectId)}>
                See what {projectId === undefined ? 'projects are' : 'the project is'} short of
              </Link>
            }
          >
            A requirement says how much of an item a project needs, and by when.
          </EmptyState>
        }
        nameOf={({ number, itemName }) => `${number ?? ''} ${itemName}`}
        bulk={mayOrder ? [{ label: 'Order', begin: setOrdering }] : []}
      />
      {ordering !== null && (
        <OrderRequirementsDialog requirements={ordering} onClose={() => setOrdering(null)} />
      )}
    </>
  );
}

const filters = [
  {
    key: 'status',
    label: 'Status',
    options: ['open', 'covered', 'cancelled'].map((value) => ({ value, label: value })),
  },
  { key: 'overdue', label: 'Overdue', options: [{ value: 'true', label: 'late, or ordered too late' }] },
  { key: 'requiredBefore', label: 'Required before', type: 'date' as const },
  entityFilter('itemEntityId', 'Item', 'item'),
];
const byProject = entityFilter('projectId', 'Project', 'project');

const columns: readonly GridColumn<MaterialRequirement>[] = [
  numberColumn('number', 'Requirement', { width: 92, phone: 'detail' }),
  {
    key: 'item',
    header: 'Item',
    width: 170,
    grow: 2,
    phone: 'title',
    // No link of its own: on a phone it is the row's, and one link does not stand in another.
    cell: ({ itemNumber, itemName, itemPicture }) => (
      <>
        <PartNumber number={itemNumber} picture={itemPicture} /> <span className="muted">{itemName}</span>
      </>
    ),
    text: ({ itemNumber }) => itemNumber,
  },
  {
    key: 'project',
    header: 'For',
    width: 150,
    grow: 1,
    cell: ({ projectId, projectNumber, projectName }) =>
      projectId === null ? (
        'a manufacturing order'
      ) : (
        <Link href={paths.project(projectId)}>
          <PartNumber number={projectNumber} /> {projectName}
        </Link>
      ),
    text: ({ projectNumber }) => projectNumber,
  },
  quantityColumn('requiredQty', 'Required', { width: 72 }),
  quantityColumn('reservedQty', 'Reserved', { width: 72, spare: 2 }),
  quantityColumn('issuedQty', 'Issued', { width: 72, spare: 3 }),
  quantityColumn('orderedQty', 'Ordered', { width: 72, spare: 1 }),
  quantityColumn('openQty', 'Open', { width: 72, phone: 'side' }),
  {
    key: 'status',
    header: 'Status',
    width: 70,
    phone: 'side',
    cell: ({ status }) => (
      <StatusWord tone={status === 'open' ? 'warn' : status === 'covered' ? 'good' : 'quiet'}>
        {status}
      </StatusWord>
    ),
    text: ({ status }) => status,
  },
  {
    key: 'requiredBy',
    header: 'Required by',
    width: 156,
    phone: 'detail',
    cell: ({ requiredBy, status }) => <Due date={requiredBy} isOpen={status === 'open'} />,
    text: ({ requiredBy }) => requiredBy,
  },
  unitColumn,
  textColumn('itemRevision', 'Rev.', { width: 48, hidden: true }),
  momentColumn('createdAt', 'Raised', { width: 120, hidden: true }),
];
