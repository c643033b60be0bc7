import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { lazyPage } from '../ui/loading/lazy.tsx';
import { parseFilter } from './filter.ts';

export const webhooksRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/webhooks',
    component: lazyPage(() => import('./list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/webhooks/$webhookId',
    validateSearch: parseFilter,
    component: lazyPage(() => import('./one-page.tsx'), 'OnePage'),
  }),
] as const;
