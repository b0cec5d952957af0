/** The properties that items can have. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { PropertyDefinition } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { textColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet } from '../components/page-frame.tsx';
import { changeColumn, nameAndKey } from './keyed-columns.tsx';
import { PropertyDialog, propertyTypes } from './property-dialog.tsx';

const indexWords = { none: '–', filling: 'being indexed', ready: 'yes' } as const;

export function PropertiesTab() {
  const mayConfigure = useMay('configuration');
  const [editing, setEditing] = useState<PropertyDefinition | 'new' | null>(null);
  const [deleting, setDeleting] = useState<PropertyDefinition | null>(null);
  const typeName = (type: PropertyDefinition['type']) =>
    propertyTypes.find(({ value }) => value === type)?.label ?? type;
  return (
    <GridSheet>
      <List
        label="Properties"
        noun={['property', 'properties']}
        name="listPropertyDefinitions"
        input={{}}
        rowKey={({ key }) => key}
        heightMax={640}
        tools={mayConfigure && <Button onClick={() => setEditing('new')}>New property</Button>}
        columns={[
          ...nameAndKey({ name: 200, key: 220 }),
          {
            key: 'type',
            header: 'Type',
            width: 120,
            cell: ({ type }) => typeName(type),
            text: ({ type }) => type,
          },
          textColumn('unit', 'Unit', { width: 90, spare: 1 }),
          textColumn('group', 'Group', { width: 140, spare: 2 }),
          {
            key: 'index',
            header: 'Filterable',
            width: 110,
            cell: ({ index }) => indexWords[index],
            text: ({ index }) => index,
          },
          ...(mayConfigure
            ? [changeColumn<PropertyDefinition>({ onEdit: setEditing, onDelete: setDeleting, phone: 'side' })]
            : []),
        ]}
        empty={
          <EmptyState
            title="No properties yet"
            action={
              mayConfigure && (
                <Button variant="default" onClick={() => setEditing('new')}>
                  New property
                </Button>
              )
            }
          >
            An import ignores values whose key is not defined here.
          </EmptyState>
        }
      />
      {editing !== null && (
        <PropertyDialog definition={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
      {deleting !== null && (
        <DeleteDialog
          what={`the property ${deleting.name}`}
          consequence="A property can only be deleted while no item has a value of it."
          operation="deletePropertyDefinition"
          input={{ key: deleting.key }}
          changes={['listPropertyDefinitions', 'listAudit']}
          done="Property deleted."
          onClose={() => setDeleting(null)}
        />
      )}
    </GridSheet>
  );
}
