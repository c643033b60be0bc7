import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { laterPage } from '../ui/later.tsx';

export const keysRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/keys',
    component: laterPage(() => import('./page.tsx'), 'KeysPage'),
  }),
] as const;
