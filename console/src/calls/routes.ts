import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { filterIn } from './filter.ts';

export const callsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/calls',
    validateSearch: filterIn,
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/calls/$sessionId',
    component: lazyRouteComponent(() => import('./one-page.tsx'), 'OnePage'),
  }),
] as const;
