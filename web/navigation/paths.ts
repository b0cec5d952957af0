/** Every address of the app, in one place. Ids are escaped; the workspace is that of the tab. */
import { currentSlug } from '../client/workspace.ts';

type Query = Record<string, string | number | undefined>;

function at(parts: readonly string[], query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  const path = ['', 'w', currentSlug(), ...parts.map(encodeURIComponent)].join('/');
  return search.size === 0 ? path : `${path}?${search}`;
}

/** How a list of lines begins with the longest overdue. */
export const dueFirst = { sort: 'requiredBy', order: 'asc' } as const;

export const paths = {
  workspace: (slug: string) => `/w/${encodeURIComponent(slug)}`,
  /** Leads on to where somebody is signed in. */
  start: () => '/',
  /** The same page for whoever wants to sign in, whatever they are signed in to. */
  signIn: () => '/?sign-in=another',
  /** Leads to the identity provider, and then to a page of ours. */
  provider: (returnTo: string) => `/api/sign-in/provider?returnTo=${encodeURIComponent(returnTo)}`,
  /** The same for a person who is signed in and adds that way to sign in. */
  connectProvider: (returnTo: string) => `${paths.provider(returnTo)}&connect=true`,
  me: () => at(['me']),
  myWork: () => at(['work']),
  inbox: () => at(['inbox']),
  overview: () => at([]),
  batches: (query?: Query) => at(['batches'], query),
  batch: (id: string, query?: Query) => at(['batches', id], query),
  imports: (query?: Query) => at(['imports'], query),
  entities: (query?: Query) => at(['entities'], query),
  entity: (id: string, tab?: string, query?: Query) =>
    at(['entities', id, ...(tab === undefined ? [] : [tab])], query),
  pendingLinks: (query?: Query) => at(['entities', 'pending-links'], query),
  compared: (ids: readonly string[]) => at(['entities', 'compare'], { ids: ids.join(',') }),
  bulkEdits: () => at(['bulk-edits']),
  bulkEdit: (id: string) => at(['bulk-edits', id]),
  stock: (query?: Query) => at(['stock'], query),
  stockPage: (
    page: 'ledger' | 'count' | 'count-tasks' | 'labels' | 'positions' | 'lots' | 'transfers' | 'value',
    query?: Query,
  ) => at(['stock', page], query),
  countTask: ({ id, location, below }: { id: string; location: { id: string }; below: boolean }) =>
    at(['stock', 'count'], { location: location.id, below: below ? '1' : undefined, task: id }),
  lot: (id: string) => at(['stock', 'lots', id]),
  procurement: (query?: Query) => at(['procurement'], query),
  requirements: (query?: Query) => at(['procurement', 'requirements'], query),
  requirement: (id: string) => at(['procurement', 'requirements', id]),
  orders: (query?: Query) => at(['procurement', 'orders'], query),
  lines: (query?: Query) => at(['procurement', 'lines'], query),
  /** What was to come before that day and has not. */
  overdueLines: (day: string) => paths.lines({ state: 'Ordered', requiredBefore: day, ...dueFirst }),
  /** What was to go before that day and has not. */
  overdueShipments: (day: string) =>
    paths.lines({ type: 'salesOrder', state: 'Reserved', requiredBefore: day, ...dueFirst }),
  order: (id: string) => at(['procurement', 'orders', id]),
  reorder: () => at(['procurement', 'reorder']),
  plans: (query?: Query) => at(['procurement', 'plans'], query),
  plan: (id: string, query?: Query) => at(['procurement', 'plans', id], query),
  planItem: (id: string, item: string) => at(['procurement', 'plans', id, 'items', item]),
  suppliers: (query?: Query) => at(['procurement', 'suppliers'], query),
  supplier: (id: string) => at(['procurement', 'suppliers', id]),
  /** The components of a manufacturing line. */
  build: (lineId: string) => at(['procurement', 'builds', lineId]),
  pickList: (lineId: string) => at(['procurement', 'builds', lineId, 'picks']),
  project: (id: string, query?: Query) => at(['procurement', 'projects', id], query),
  automations: (query?: Query) => at(['automations'], query),
  automation: (id: string, query?: Query) => at(['automations', id], query),
  automationRuns: (query?: Query) => at(['automations', 'runs'], query),
  automationRun: (id: string) => at(['automations', 'runs', id]),
  settings: (...parts: string[]) => at(['settings', ...parts]),
};

/** Only a path of this workspace: an address that somebody sends must lead nowhere else, by no way that a browser would take. */
export function within(root: string, kept: string): string | null {
  if (!/^\/[\w-]/.test(kept)) return null;
  const { pathname, search, hash } = new URL(`${root}${kept}`, 'http://here');
  return pathname.startsWith(`${root}/`) ? `${pathname}${search}${hash}` : null;
}
