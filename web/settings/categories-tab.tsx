/** The categories of the workspace. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Category } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { textColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet } from '../components/page-frame.tsx';
import { plainWords } from '../components/words.tsx';
import { CategoryDialog } from './category-dialog.tsx';
import { changeColumn, nameAndKey } from './keyed-columns.tsx';

/** Shown for none. */
const none = <span className="muted">–</span>;
const roleText = (role: Category['role']) =>
  role === 'none' ? none : role === 'itemAndLocation' ? 'item and location' : role;
const behaviourText = (behaviour: Category['behaviour']) =>
  behaviour === 'none' ? none : plainWords(behaviour);

export function CategoriesTab() {
  const mayConfigure = useMay('configuration');
  const [editing, setEditing] = useState<Category | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Category | null>(null);
  return (
    <GridSheet>
      <List
        label="Categories"
        noun={['category', 'categories']}
        name="listCategories"
        input={{}}
        rowKey={({ key }) => key}
        heightMax={640}
        tools={mayConfigure && <Button onClick={() => setEditing('new')}>New category</Button>}
        columns={[
          ...nameAndKey({ name: 170, key: 190 }),
          {
            key: 'role',
            header: 'Used as',
            width: 130,
            cell: ({ role }) => roleText(role),
            text: ({ role }) => role,
          },
          {
            key: 'behaviour',
            header: 'Behaviour',
            width: 190,
            spare: 1,
            cell: ({ behaviour }) => behaviourText(behaviour),
            text: (row) => row.behaviour,
          },
          textColumn('lifecycle', 'Lifecycle', { width: 120, spare: 2 }),
          {
            key: 'numbering',
            header: 'Numbering',
            width: 130,
            spare: 3,
            cell: ({ numbering }) =>
              numbering.source === 'scheme' ? (
                <span className="mono">{numbering.pattern}</span>
              ) : (
                <span className="muted">from the import</span>
              ),
            text: ({ numbering }) => numbering.pattern,
          },
          ...(mayConfigure
            ? [changeColumn<Category>({ onEdit: setEditing, onDelete: setDeleting, phone: 'side' })]
            : []),
        ]}
        empty={<EmptyState title="No categories">Every item belongs to a category.</EmptyState>}
      />
      {editing !== null && (
        <CategoryDialog category={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
      {deleting !== null && (
        <DeleteDialog
          what={`the category ${deleting.name}`}
          consequence="A category can only be deleted while no item belongs to it."
          operation="deleteCategory"
          input={{ key: deleting.key }}
          changes={['listCategories', 'listAudit']}
          done="Category deleted."
          onClose={() => setDeleting(null)}
        />
      )}
    </GridSheet>
  );
}
