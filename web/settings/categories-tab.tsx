/** The categories of the workspace. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Category } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { DeleteDialog } from '../components/delete-dialog.tsx';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState } from '../components/page-frame.tsx';
import { useAction } from '../components/use-action.ts';
import { CategoryDialog } from './category-dialog.tsx';
import { changeColumn, nameAndKey } from './keyed-columns.tsx';
import styles from './settings.module.css';

export function CategoriesTab() {
  const admin = useMay('admin');
  const [editing, setEditing] = useState<Category | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Category | null>(null);
  const remove = useAction('deleteCategory', {
    changes: ['listCategories', 'listAudit'],
    done: 'Category deleted.',
    onDone: () => setDeleting(null),
  });
  return (
    <div className={styles.gridSheet}>
      <List
        label="Categories"
        noun={['category', 'categories']}
        name="listCategories"
        input={{}}
        rowKey={({ key }) => key}
        heightMax={640}
        tools={admin && <Button onClick={() => setEditing('new')}>New category</Button>}
        columns={[
          ...nameAndKey<Category>({ name: 180, key: 180 }),
          { key: 'role', header: 'Role', width: 120, cell: ({ role }) => role, text: ({ role }) => role },
          {
            key: 'behaviour',
            header: 'Behaviour',
            width: 170,
            cell: ({ behaviour }) => behaviour,
            text: (row) => row.behaviour,
          },
          {
            key: 'lifecycle',
            header: 'Lifecycle',
            width: 150,
            cell: ({ lifecycle }) => lifecycle,
            text: (row) => row.lifecycle,
          },
          {
            key: 'numbering',
            header: 'Numbers',
            width: 160,
            cell: ({ numbering }) =>
              numbering.source === 'scheme' ? (
                <span className="mono">{numbering.pattern}</span>
              ) : (
                'from the payload'
              ),
            text: ({ numbering }) => numbering.pattern,
          },
          ...(admin ? [changeColumn<Category>({ onEdit: setEditing, onDelete: setDeleting })] : []),
        ]}
        empty={<EmptyState title="No categories">Every entity belongs to one.</EmptyState>}
      />
      {editing !== null && (
        <CategoryDialog category={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
      {deleting !== null && (
        <DeleteDialog
          what={`the category ${deleting.name}`}
          consequence="It can only be deleted while no entity is of it."
          busy={remove.isPending}
          error={remove.error}
          onDelete={() => remove.mutate({ key: deleting.key })}
          onClose={() => {
            remove.reset();
            setDeleting(null);
          }}
        />
      )}
    </div>
  );
}
