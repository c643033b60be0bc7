import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { laterPage } from '../ui/later.tsx';

export const knowledgeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/knowledge',
    component: laterPage(() => import('./list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/knowledge/$knowledgeBaseId',
    component: laterPage(() => import('./one-page.tsx'), 'OnePage'),
  }),
] as const;
