import { route } from '../route.ts';
import { EventPage, EventsQuery } from '../schemas/event.ts';

export const list = /* @__PURE__ */ route(() => ({
  id: 'events/list',
  method: 'GET',
  path: '/events',
  scope: 'events',
  summary: 'List the events after one that you know, oldest first',
  description:
    'For programs that catch up: store the id of the last event, and send it as `after`. Leaves out events of the last 20 seconds, ' +
    'since an earlier one may still be on its way; `settled=false` returns them too.',
  query: EventsQuery,
  returns: EventPage,
  cursor: true,
  errors: [],
  needs: { rows: { events: ['Query'] } },
}));
