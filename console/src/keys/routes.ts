import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { lazyPage } from '../ui/loading/lazy.tsx';

export const keysRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/keys',
    component: lazyPage(() => import('./page.tsx'), 'KeysPage'),
  }),
] as const;
