import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { lazyPage } from '../ui/loading/lazy.tsx';

export const credentialsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/credentials',
    component: lazyPage(() => import('./page.tsx'), 'CredentialsPage'),
  }),
] as const;
