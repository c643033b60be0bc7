import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';

export const knowledgeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/knowledge',
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/knowledge/$knowledgeBaseId',
    component: lazyRouteComponent(() => import('./one-page.tsx'), 'OnePage'),
  }),
] as const;
