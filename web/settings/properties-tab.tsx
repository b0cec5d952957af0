/** The properties that entities may carry. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { PropertyDefinition } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { DeleteDialog } from '../components/delete-dialog.tsx';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState } from '../components/page-frame.tsx';
import { useAction } from '../components/use-action.ts';
import { changeColumn, nameAndKey } from './keyed-columns.tsx';
import { PropertyDialog, propertyTypes } from './property-dialog.tsx';
import styles from './settings.module.css';

export function PropertiesTab() {
  const admin = useMay('admin');
  const [editing, setEditing] = useState<PropertyDefinition | 'new' | null>(null);
  const [deleting, setDeleting] = useState<PropertyDefinition | null>(null);
  const remove = useAction('deletePropertyDefinition', {
    changes: ['listPropertyDefinitions', 'listAudit'],
    done: 'Property deleted.',
    onDone: () => setDeleting(null),
  });
  const typeName = (type: PropertyDefinition['type']) =>
    propertyTypes.find(({ value }) => value === type)?.label ?? type;
  return (
    <div className={styles.gridSheet}>
      <List
        label="Properties"
        noun={['property', 'properties']}
        name="listPropertyDefinitions"
        input={{}}
        rowKey={({ key }) => key}
        heightMax={640}
        tools={admin && <Button onClick={() => setEditing('new')}>New property</Button>}
        columns={[
          ...nameAndKey<PropertyDefinition>({ name: 200, key: 220 }),
          {
            key: 'type',
            header: 'Type',
            width: 120,
            cell: ({ type }) => typeName(type),
            text: ({ type }) => type,
          },
          ...(admin ? [changeColumn<PropertyDefinition>({ onEdit: setEditing, onDelete: setDeleting })] : []),
        ]}
        empty={
          <EmptyState
            title="No properties are defined"
            action={admin && <Button onClick={() => setEditing('new')}>Define one</Button>}
          >
            A sync ignores every value whose key is not defined here.
          </EmptyState>
        }
      />
      {editing !== null && (
        <PropertyDialog definition={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
      {deleting !== null && (
        <DeleteDialog
          what={`the property ${deleting.name}`}
          consequence="It can only be deleted while no entity has a value of it."
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
