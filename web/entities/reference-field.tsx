/** The field of a property that refers to an entity: it shows number and name of the present value, and finds another one. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import { EntityPicker, type PickedEntity } from './entity-picker.tsx';

export interface ReferenceFieldProps {
  label: string;
  description?: string | undefined;
  /** The id of an entity, or `guid:` and its GUID; undefined where nothing is chosen. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function ReferenceField({ label, description, value, onChange }: ReferenceFieldProps) {
  const [picked, setPicked] = useState<PickedEntity | null>(null);
  const isPicked = picked?.id === value;
  const known = useQuery({
    ...ask('getEntity', { id: value ?? '' }),
    enabled: value !== undefined && !isPicked,
    retry: false,
  });
  const unknown = { id: value ?? '', number: null, name: known.isPending ? 'Looking…' : (value ?? '') };
  return (
    <EntityPicker
      label={label}
      description={
        known.isError && value !== undefined && !isPicked
          ? 'Nothing here has this id. An import may bring it.'
          : description
      }
      value={value === undefined ? null : isPicked ? picked : (known.data ?? unknown)}
      onPick={(entity) => {
        setPicked(entity);
        onChange(entity?.id);
      }}
      mayBeEmpty
    />
  );
}
