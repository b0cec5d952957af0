/** Everything that was asked for. */
import type { MaterialRequirement } from '../client/operations.ts';
import { momentColumn, numberColumn, quantityColumn } from '../components/lists/columns.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet, PageFrame } from '../components/page-frame.tsx';
import { dayText, PartNumber, StatusWord } from '../components/words.tsx';
import { entityFilter } from '../entities/entity-filter.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { ProcurementTabs } from './procurement-tabs.tsx';

export function RequirementListPage() {
  return (
    <PageFrame title="Procurement">
      <ProcurementTabs current="requirements" />
      <GridSheet>
        <List
          label="Requirements"
          noun={['requirement', 'requirements']}
          name="listRequirements"
          input={{ query: { order: 'desc' } }}
          rowKey={({ id }) => id}
          hrefOf={({ id }) => paths.requirement(id)}
          heightMax={680}
          filters={[
            {
              key: 'status',
              label: 'Status',
              options: ['open', 'covered', 'cancelled'].map((value) => ({ value, label: value })),
            },
            { key: 'requiredBefore', label: 'Required before', type: 'date' },
            entityFilter('projectId', 'Project', 'project'),
            entityFilter('itemEntityId', 'Item', 'item'),
          ]}
          columns={columns}
          empty={
            <EmptyState
              title="Nothing is asked for"
              action={<Link href={paths.procurement()}>See what projects are short of</Link>}
            />
          }
        />
      </GridSheet>
    </PageFrame>
  );
}

const columns: readonly GridColumn<MaterialRequirement>[] = [
  numberColumn('number', 'Requirement', { width: 140, phone: 'detail' }),
  {
    key: 'item',
    header: 'Item',
    width: 150,
    grow: 1,
    phone: 'title',
    cell: ({ itemNumber, itemEntityId }) => (
      <Link href={paths.entity(itemEntityId, 'stock')}>
        <PartNumber number={itemNumber} />
      </Link>
    ),
    text: ({ itemNumber }) => itemNumber,
  },
  {
    key: 'project',
    header: 'For',
    width: 90,
    cell: ({ projectId }) => (projectId === null ? '' : <Link href={paths.project(projectId)}>project</Link>),
  },
  quantityColumn('requiredQty', 'Required', { width: 84 }),
  quantityColumn('reservedQty', 'Reserved', { width: 84 }),
  quantityColumn('issuedQty', 'Issued', { width: 84 }),
  quantityColumn('orderedQty', 'Ordered', { width: 84 }),
  quantityColumn('openQty', 'Open', { width: 84, phone: 'side' }),
  {
    key: 'status',
    header: 'Status',
    width: 90,
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
    width: 110,
    cell: ({ requiredBy }) => (requiredBy === null ? '–' : dayText(requiredBy)),
    text: ({ requiredBy }) => requiredBy,
  },
  momentColumn('createdAt', 'Raised', { width: 120, hidden: true }),
];
