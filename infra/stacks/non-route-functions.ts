/** Functions without a route: `fallback` answers requests that match no route, queues, the table's stream and a schedule call the others. */
export const nonRouteFunctions = ['fallback', 'intake', 'ingest', 'erase', 'relay', 'deliver', 'run-job', 'sweep'];
