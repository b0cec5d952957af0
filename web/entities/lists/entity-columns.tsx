/** How lists show entities: number, name, state, when they changed. */
import { momentColumn, picturedColumn, textColumn } from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { StateWord } from '../../components/words.tsx';
import { useLifecycleOf } from '../configuration.ts';

export const stateColumn: GridColumn<{ state: string; released: boolean }> = {
  key: 'state',
  header: 'State',
  width: 150,
  phone: 'side',
  cell: ({ state, released }) => <StateWord state={state} released={released} />,
  text: ({ state }) => state,
};

/** The state of an entity in a structure, whose row does not say whether the state is a released one: its lifecycle does. */
export function StructureState({ state, category }: { state: string; category: string }) {
  const lifecycle = useLifecycleOf(category);
  return (
    <StateWord
      state={state}
      released={lifecycle?.states.find(({ name }) => name === state)?.released ?? false}
    />
  );
}

/** Entities of one kind; `header` says what their number is the number of. */
export function entityColumns(header: string) {
  return [
    picturedColumn('number', 'picture', header, { width: 180, phone: 'title' }),
    textColumn('name', 'Name', { width: 220, grow: 1, phone: 'detail' }),
    stateColumn,
    momentColumn('updatedAt', 'Changed', { width: 120 }),
  ];
}
