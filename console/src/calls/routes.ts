import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { later } from '../ui/later.tsx';
import { filterIn } from './filter.ts';

export const callsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/calls',
    validateSearch: filterIn,
    component: later(() => import('./list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/calls/$sessionId',
    component: later(() => import('./one-page.tsx'), 'OnePage'),
  }),
] as const;
