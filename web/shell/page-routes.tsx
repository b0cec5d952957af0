/** Routes from what the capabilities say of their pages; an address has plain search parameters, nothing encoded in them. */
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
} from '@tanstack/react-router';
import type { Page } from '../navigation/page.ts';
import { pages } from '../pages.ts';
import { isServiceThere, NotFound, PageError, serviceAway } from './fallbacks.tsx';

/** The routes of every page, below the workspace's. */
export function routesBelow(workspace: AnyRoute): AnyRoute[] {
  return pages.map((page) => routeOf(page, workspace));
}

function routeOf(page: Page, parent: AnyRoute): AnyRoute {
  const route = createRoute({
    getParentRoute: () => parent,
    path: page.path,
    component: lazyRouteComponent(async () => ({ default: await loadOf(page) }), 'default'),
    errorComponent: PageError,
  });
  const children = (page.children ?? []).map((child) => routeOf(child, route));
  return children.length === 0 ? route : route.addChildren(children);
}

/**
 * The code of a page. Where it does not come the router loads the tab anew, since a newer build has other files; but where the
 * service is away that would leave the browser's own page and nothing of ours.
 */
async function loadOf(page: Page): ReturnType<Page['load']> {
  try {
    return await page.load();
  } catch (error) {
    if (!(await isServiceThere())) throw serviceAway();
    throw error;
  }
}

export const routerSettings = {
  defaultPreload: false,
  scrollRestoration: false,
  // A parameter may stand several times, as the categories and conditions of a list do.
  parseSearch: (text: string) => {
    const search = new URLSearchParams(text);
    return Object.fromEntries([...new Set(search.keys())].map((key) => [key, search.getAll(key)]));
  },
  stringifySearch: (search: object) => {
    const pairs = Object.entries(search as Record<string, string | string[]>).flatMap(([key, values]) =>
      [values].flat().map((value) => [key, value]),
    );
    const text = new URLSearchParams(pairs).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFound,
} as const;

/** The same pages without the frame, for what stands beside a list. */
export function besideRouter(history: RouterHistory) {
  const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
  const workspace = createRoute({ getParentRoute: () => root, path: '/w/$slug', component: Outlet });
  const tree = root.addChildren([workspace.addChildren(routesBelow(workspace))]);
  return createRouter({ routeTree: tree, history, ...routerSettings });
}
