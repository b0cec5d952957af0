/** A filter by an entity: chosen by its number, named by its number, and by its id in the address. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../client/ask.ts';
import type { Filter } from '../../components/lists/filter-bar.tsx';
import { PartNumber } from '../../components/words.tsx';
import { EntityPicker, type EntityPickerProps } from '../entity-picker.tsx';

export function entityFilter(key: string, label: string, plays: EntityPickerProps['plays']): Filter {
  return {
    key,
    label,
    field: (value, set) => <EntityField key={key} id={value} set={set} label={label} plays={plays} />,
    name: (id) => <EntityName id={id} />,
  };
}

function EntityField({
  id,
  set,
  label,
  plays,
}: {
  id: string;
  set: (next: string) => void;
  label: string;
  plays: EntityPickerProps['plays'];
}) {
  const found = useQuery({ ...ask('getEntity', { id }), enabled: id !== '' });
  return (
    <EntityPicker
      label={label}
      plays={plays}
      value={id === '' ? null : (found.data ?? null)}
      onPick={(entity) => set(entity?.id ?? '')}
    />
  );
}

function EntityName({ id }: { id: string }) {
  const { data } = useQuery(ask('getEntity', { id }));
  return data === undefined ? '…' : <PartNumber number={data.number ?? data.name} />;
}
