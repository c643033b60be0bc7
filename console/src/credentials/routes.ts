import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { laterPage } from '../ui/later.tsx';

export const credentialsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/credentials',
    component: laterPage(() => import('./page.tsx'), 'CredentialsPage'),
  }),
] as const;
