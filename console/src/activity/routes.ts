import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { lazyPage } from '../ui/loading/lazy.tsx';
import { parseFilter } from './filter.ts';

export const activityRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/activity',
    validateSearch: parseFilter,
    component: lazyPage(() => import('./page.tsx'), 'ActivityPage'),
  }),
] as const;
