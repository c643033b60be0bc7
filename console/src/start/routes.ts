import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { laterPage } from '../ui/later.tsx';

export const startRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    component: laterPage(() => import('./page.tsx'), 'StartPage'),
  }),
] as const;
