import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { later } from '../ui/later.tsx';

export const keysRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/keys',
    component: later(() => import('./page.tsx'), 'KeysPage'),
  }),
] as const;
