/** Functions without a route: `fallback` answers requests that match no route, queues call the others. */
export const nonRouteFunctions = ['fallback', 'intake', 'ingest'];
