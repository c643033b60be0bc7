import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { later } from '../ui/later.tsx';

export const startRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    component: later(() => import('./page.tsx'), 'StartPage'),
  }),
] as const;
