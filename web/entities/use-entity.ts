/** The entity that a page is of, with the tag that a change of it names. */
import { useQuery } from '@tanstack/react-query';
import { askTagged } from '../client/ask.ts';
import type { Entity } from '../client/operations.ts';
import { usePathParam } from '../navigation/address.ts';

export function useEntityQuery() {
  return useQuery(askTagged('getEntity', { id: usePathParam('id') }));
}

/** On a tab, where the page above has it already. */
export function useEntity(): { entity: Entity; tag: string | null } {
  const { data } = useEntityQuery();
  if (data === undefined) throw new Error('A tab of an entity is shown before its entity is there.');
  return { entity: data.answer, tag: data.tag };
}
