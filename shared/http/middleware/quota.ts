import { Unavailable } from '../../errors.ts';
import type { Quota } from '../../quotas.ts';
import type { Route } from '../../route.ts';
import { add } from '../../store/quota-counts.ts';
import type { Middleware } from './middleware.ts';

/**
 * Lets a handler count its request for the quota of its route, where a limit applies to the caller. A repeat of a request that was carried
 * out gets its first response instead. What should have been created, but was not, is refunded, except for a form: its file was stored and
 * goes to the readers.
 */
export const countRequests = ({ quota, creates, form }: Route & { quota: Quota }): Middleware => ({
  before({ event: { request }, internal }) {
    const { key: owner, limits } = request.user;
    const applied = limits.filter((limit) => limit.quota === quota);
    if (applied.length === 0) return;
    request.count = async (requests = 1) => {
      await request.replay();
      internal.refund = await add(owner, applied, requests);
    };
  },
  async onError({ error, internal }) {
    // After Unavailable, it may have been created.
    if (creates && !form && !(error instanceof Unavailable)) await internal.refund?.().catch(() => {});
  },
});
