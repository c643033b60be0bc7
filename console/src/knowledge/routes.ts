import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { lazyPage } from '../ui/loading/lazy.tsx';

export const knowledgeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/knowledge',
    component: lazyPage(() => import('./list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/knowledge/search',
    component: lazyPage(() => import('./search-page.tsx'), 'SearchPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/knowledge/$knowledgeBaseId',
    component: lazyPage(() => import('./one-page.tsx'), 'OnePage'),
  }),
] as const;
