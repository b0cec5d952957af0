/** The routes of the tab: the sign-in, and every page in the frame of its workspace. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { NotFound } from './fallbacks.tsx';
import { routerSettings, routesBelow } from './page-routes.tsx';
import { WorkspaceFrame } from './workspace-frame.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
});
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyRouteComponent(() => import('./join-page.tsx'), 'JoinPage'),
});
const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$slug',
  component: WorkspaceFrame,
  notFoundComponent: NotFound,
});
const tree = root.addChildren([signIn, join, workspace.addChildren(routesBelow(workspace))]);

export const router = createRouter({ routeTree: tree, ...routerSettings });
