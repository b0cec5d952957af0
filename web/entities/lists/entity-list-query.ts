/** What the list of items asks for: the filters of the address, what they count, and the table of a link for a spreadsheet. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '../../client/ask.ts';
import type { CsvTable } from '../../client/operations.ts';
import { listOf, textOf, titlesOf } from '../../components/forms/csv-table.ts';
import type { Total } from '../../components/lists/list-page.tsx';
import { type Address, useAddress } from '../../navigation/address.ts';
import type { BulkEditDialogProps } from '../bulk-edits/bulk-edit-dialog.tsx';
import { totalOf } from '../uses/use-total.ts';

/** What is listed until somebody searches or filters: parts and materials, without locations and order lines between them. */
export function shownFirst(address: Address): { role?: 'item' } {
  const isNarrowed = ['q', 'category', 'state', 'role', 'number', 'guid', 'archived', 'where'].some(
    (key) => address.get(key) !== undefined,
  );
  return isNarrowed ? {} : { role: 'item' };
}

/** Filters by which the service counts. */
const COUNTED = ['q', 'category', 'state', 'role', 'archived', 'where'];

/** These filters of the address, as the service takes them. */
function queryOf(address: Address, keys: readonly string[]) {
  return {
    ...shownFirst(address),
    ...Object.fromEntries(
      keys.flatMap((key) => {
        const values = address.all(key);
        return values.length === 0 ? [] : [[key, values.length === 1 ? values[0] : values]];
      }),
    ),
  };
}

export function foundBy(address: Address): BulkEditDialogProps['filter'] {
  const guid = address.get('guid');
  return guid === undefined ? queryOf(address, [...COUNTED, 'number']) : { ids: [`guid:${guid}`] };
}

/** Counts what the filters find: in all, and of each category, where the service counted to the end. */
export function useFacets(): { total: Total | undefined; ofCategory: (key: string) => number | undefined } {
  const address = useAddress();
  const query = queryOf(address, COUNTED);
  const isCounted = address.get('number') === undefined && address.get('guid') === undefined;
  const { data } = useQuery({
    ...ask('countEntities', { query }),
    placeholderData: keepPreviousData,
    enabled: isCounted,
  });
  const items = isCounted ? data?.items : undefined;
  return {
    total: items && totalOf(items),
    ofCategory: (key) => {
      const total = items && totalOf(items.filter(({ category }) => category === key));
      return total?.isAtLeast === false ? total.count : undefined;
    },
  };
}

/** Columns of the grid by the titles that the service has for them; those of properties are made of their keys. */
const titles: Readonly<Record<string, string>> = {
  number: 'number',
  name: 'name',
  category: 'category',
  state: 'state',
  revision: 'revision',
  updatedAt: 'updatedAt',
  guid: 'E_Guid',
  unit: 'unit',
};

export function linkedEntities(
  query: Readonly<Record<string, unknown>>,
  columns: readonly string[],
): CsvTable | string {
  if (query.guid !== undefined) return 'A link cannot filter by GUID: filter by number.';
  if (query.archived !== undefined) return 'A link shows no archived items: take the filter away.';
  const ofProperties = columns.filter((key) => key.startsWith('p.'));
  return {
    of: 'entities',
    category: listOf(query.category),
    role: query.role as 'item' | 'location' | 'project' | 'none' | undefined,
    state: listOf(query.state),
    number: textOf(query.number),
    q: textOf(query.q),
    where: listOf(query.where),
    sort: query.sort as 'number' | 'name' | 'updatedAt',
    order: query.order as 'asc' | 'desc',
    columns: titlesOf(columns, {
      ...titles,
      ...Object.fromEntries(ofProperties.map((key) => [key, `properties.${key.slice(2)}`])),
    }),
  };
}
