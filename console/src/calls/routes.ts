import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { laterPage } from '../ui/later.tsx';
import { filterIn } from './filter.ts';

export const callsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/calls',
    validateSearch: filterIn,
    component: laterPage(() => import('./list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/calls/$sessionId',
    component: laterPage(() => import('./one-page.tsx'), 'OnePage'),
  }),
] as const;
