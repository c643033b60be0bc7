/** Settings that `npm run chaos` passes to the tests. Without them, the tests run a sample of trials and small races. */
export const settings = {
  /** Ids of the routes to test. Empty for all. */
  only: (process.env.CHAOS_ONLY ?? '').split(',').filter(Boolean),
  /** True to run every trial and large races. */
  all: process.env.CHAOS_ALL === 'true',
  /** Seed that draws the sample of trials. */
  seed: process.env.CHAOS_SEED,
  /** Path of the report. */
  json: process.env.CHAOS_JSON,
};
