import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';

export const callsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/calls',
    component: lazyRouteComponent(() => import('./page.tsx'), 'CallsPage'),
  }),
] as const;
