import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { later } from '../ui/later.tsx';

export const knowledgeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/knowledge',
    component: later(() => import('./list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/knowledge/$knowledgeBaseId',
    component: later(() => import('./one-page.tsx'), 'OnePage'),
  }),
] as const;
