import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';

export const credentialsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/credentials',
    component: lazyRouteComponent(() => import('./page.tsx'), 'CredentialsPage'),
  }),
] as const;
