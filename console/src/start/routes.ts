import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { lazyPage } from '../ui/loading/lazy.tsx';

export const startRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    component: lazyPage(() => import('./page.tsx'), 'StartPage'),
  }),
] as const;
