/** What `npm run chaos` asks of the tests; without it they draw a few trials of each route, and races are small. */
export const settings = {
  /** The ids of the routes to try; none for all. */
  only: (process.env.CHAOS_ONLY ?? '').split(',').filter(Boolean),
  /** Whether every trial is made, and races are large. */
  all: process.env.CHAOS_ALL === 'true',
  /** By which trials are drawn. */
  seed: process.env.CHAOS_SEED,
  /** The file to write a report to. */
  json: process.env.CHAOS_JSON,
};
