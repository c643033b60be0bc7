/** Functions that are no routes: one answers where there is no route, the other is called by a queue. */
export const noRoutes = ['fallback', 'ingest'];
