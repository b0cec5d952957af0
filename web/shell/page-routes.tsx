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
import { NotFound, PageError } from './fallbacks.tsx';

/** The routes of every page, below the workspace's. */
export function routesBelow(workspace: AnyRoute): AnyRoute[] {
  return pages.map((page) => routeOf(page, workspace));
}

function routeOf(page: Page, parent: AnyRoute): AnyRoute {
  const route = createRoute({
    getParentRoute: () => parent,
    path: page.path,
    component: lazyRouteComponent(async () => ({ default: await page.load() }), 'default'),
    errorComponent: PageError,
  });
  const children = (page.children ?? []).map((child) => routeOf(child, route));
  return children.length === 0 ? route : route.addChildren(children);
}

export const routerSettings = {
  defaultPreload: false,
  scrollRestoration: false,
  parseSearch: (text: string) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: object) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
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
