/** Functions that are no routes: one answers where there is no route, the others are called by queues. */
export const noRoutes = ['fallback', 'intake', 'ingest'];
