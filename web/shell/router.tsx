/** Routes from what the capabilities say of their pages; an address has plain search parameters, nothing encoded in them. */
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import type { Page } from '../navigation/page.ts';
import { pages } from '../pages.ts';
import { NotFound, PageError } from './fallbacks.tsx';
import { SignInPage } from './sign-in-page.tsx';
import { WorkspaceFrame } from './workspace-frame.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
const signIn = createRoute({ getParentRoute: () => root, path: '/', component: SignInPage });
const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$slug',
  component: WorkspaceFrame,
  notFoundComponent: NotFound,
});

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

const tree = root.addChildren([signIn, workspace.addChildren(pages.map((page) => routeOf(page, workspace)))]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: false,
  scrollRestoration: false,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFound,
});
