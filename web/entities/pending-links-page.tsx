/** Every link that waits for a parent which is not there: of a GUID that was wrong, or of an assembly that was refused. */
import { useState } from 'react';
import type { PendingLink } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { codeColumn, numberColumn, quantityColumn, textColumn } from '../components/lists/columns.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List } from '../components/lists/list-page.tsx';
import { RowActions } from '../components/lists/row-actions.tsx';
import { EmptyState, PageFrame } from '../components/page-frame.tsx';
import { paths } from '../navigation/paths.ts';
import { entityFilter } from './lists/entity-filter.tsx';
import { TakeBackDialog } from './take-back-dialog.tsx';

export function PendingLinksPage() {
  const mayEdit = useMay('engineering');
  const [takenBack, setTakenBack] = useState<PendingLink | null>(null);
  const columns = mayEdit ? [...shown, takeBack(setTakenBack)] : shown;
  return (
    <PageFrame title="Pending links" above={{ label: 'Items', href: paths.entities() }} filled>
      <List
        label="Pending links"
        noun={['link', 'links']}
        name="listPendingLinks"
        input={{}}
        columns={columns}
        rowKey={({ parentGuid, childEntityId }) => `${parentGuid} ${childEntityId}`}
        hrefOf={({ childEntityId }) => paths.entity(childEntityId, 'where-used')}
        nameOf={({ childNumber, childName }) => `${childNumber ?? ''} ${childName}`}
        filters={filters}
        empty={
          <EmptyState title="Nothing waits">
            Every assembly that a batch has named as a parent is there. Where one is not, its link waits here,
            and is made when it comes.
          </EmptyState>
        }
      />
      {takenBack !== null && <TakeBackDialog link={takenBack} onClose={() => setTakenBack(null)} />}
    </PageFrame>
  );
}

const filters = [
  { key: 'parentGuid', label: 'Waits for the GUID' },
  entityFilter('child', 'Part', undefined),
];

/** The GUID is whole wherever there is room for it: many differ in their last characters only. */
const shown: readonly GridColumn<PendingLink>[] = [
  numberColumn('childNumber', 'Number', { width: 130, phone: 'title' }),
  textColumn('childName', 'Name', { width: 160, grow: 1, phone: 'detail' }),
  quantityColumn('quantity', 'Quantity', { width: 70, spare: 1, phone: 'side' }),
  codeColumn('parentGuid', 'Waits for the GUID', { width: 296, phone: 'detail' }),
  textColumn('findNumber', 'Find no.', { width: 76, spare: 3 }),
  textColumn('childRevision', 'Rev.', { width: 48, spare: 4 }),
  textColumn('childCategory', 'Category', { width: 110, spare: 2 }),
];

const takeBack = (onClick: (link: PendingLink) => void): GridColumn<PendingLink> => ({
  key: 'takeBack',
  header: 'Change',
  width: 76,
  phone: 'side',
  cell: (link) => (
    <RowActions
      actions={[
        {
          icon: 'trash',
          label: `Take back the link of ${link.childNumber ?? link.childName} to ${link.parentGuid}`,
          onClick: () => onClick(link),
        },
      ]}
    />
  ),
});
