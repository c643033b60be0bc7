import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';

export const knowledgeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/knowledge',
    component: lazyRouteComponent(() => import('./page.tsx'), 'KnowledgePage'),
  }),
] as const;
