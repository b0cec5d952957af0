/** Saved views as addresses of their list: filters, sort and columns. */
import type { SavedView } from '../../client/operations.ts';
import { BESIDE } from '../../navigation/beside.ts';

type Settings = Pick<SavedView, 'filters' | 'sort' | 'order' | 'columns'>;

export const VIEW = 'view';

/** Lists with views in the workspace, by their labels. Views of other lists are kept in the browser. */
const lists: Readonly<Record<string, SavedView['list']>> = {
  Items: 'entities',
  Positions: 'positions',
  Ledger: 'ledger',
  Orders: 'orders',
  'Lines of orders': 'lines',
  Requirements: 'requirements',
  Suppliers: 'suppliers',
  'Supplier parts': 'supplierParts',
  Imports: 'imports',
};

export function listOfLabel(label: string): SavedView['list'] | null {
  return lists[label] ?? null;
}

/** Parameters of the address that a view does not keep. */
const passing = [BESIDE, VIEW, 'new'];

/** The parameters of the address that a view keeps. */
export function keptOf(search: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams(search);
  for (const key of passing) kept.delete(key);
  return kept;
}

const PROPERTY = 'p.';
const PROPERTY_TITLE = 'properties.';
const entityFilters = ['category', 'state', 'role', 'number', 'archived', 'q', 'where'];

/** The view that an address shows. */
export function viewOfAddress(list: SavedView['list'], search: URLSearchParams): Settings {
  const kept = keptOf(search);
  const columns = kept.get('columns')?.split(',') ?? null;
  const order = kept.get('order');
  const filters = Object.fromEntries(
    [...new Set(kept.keys())]
      .filter((key) =>
        list === 'entities' ? entityFilters.includes(key) : !['sort', 'order', 'columns'].includes(key),
      )
      .map((key) => [key, kept.getAll(key)]),
  );
  // The page shows parts and materials until somebody filters.
  if (list === 'entities' && Object.keys(filters).length === 0) filters.role = ['item'];
  return {
    filters,
    sort: kept.get('sort'),
    order: order === 'asc' || order === 'desc' ? order : null,
    columns: list === 'entities' ? (columns?.map(titleOf) ?? null) : columns,
  };
}

/** Parameters of the address for a view. */
export function addressOfView({ list, filters, sort, order, columns }: SavedView): URLSearchParams {
  const search = new URLSearchParams();
  for (const [key, values] of Object.entries(filters)) for (const value of values) search.append(key, value);
  if (sort !== null) search.set('sort', sort);
  if (order !== null) search.set('order', order);
  if (columns !== null) search.set('columns', (list === 'entities' ? columns.map(keyOf) : columns).join(','));
  return search;
}

export function isSameView(a: Settings, b: Settings): boolean {
  return textOf(a) === textOf(b);
}

function textOf({ filters, sort, order, columns }: Settings): string {
  const sorted = Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sorted, sort, order, columns]);
}

function titleOf(key: string): string {
  if (key === 'guid') return 'E_Guid';
  return key.startsWith(PROPERTY) ? `${PROPERTY_TITLE}${key.slice(PROPERTY.length)}` : key;
}

function keyOf(title: string): string {
  if (title === 'E_Guid') return 'guid';
  return title.startsWith(PROPERTY_TITLE) ? `${PROPERTY}${title.slice(PROPERTY_TITLE.length)}` : title;
}
