/** What a capability says of its pages; shell/router.tsx makes routes of it. */
import type { ComponentType } from 'react';
import type { Area } from '../client/session.ts';

export interface Page {
  /** Below the workspace; `$id` is a parameter. Of a child: below its parent. */
  path: string;
  /** Loads the page's code when it is first needed. */
  load: () => Promise<ComponentType>;
  /** Tabs of a page: they stand in the place of its `<Outlet />`. */
  children?: readonly Page[];
  /** How the command palette names it; absent where an address needs an id. */
  palette?: { label: string; also?: string; area?: Area };
}
