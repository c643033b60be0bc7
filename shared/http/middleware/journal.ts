import type { Actor } from '../../schemas/event.ts';
import { buildEventWrite } from '../../store/journal.ts';
import type { User } from '../../user.ts';
import type { Middleware } from './middleware.ts';

function toActor({ sub, client, keyId }: User): Actor {
  if (keyId !== undefined) return { kind: 'api_key', id: keyId };
  return client === undefined ? { kind: 'user', id: sub } : { kind: 'client', id: client };
}

/** Gives handlers `tell`, which writes an event of their change. */
export const journal = (): Middleware => ({
  before({ event: { request, requestContext } }) {
    const { user } = request;
    const actor = toActor(user);
    const cause = { owner: user.key, userId: user.id, actor, requestId: requestContext.requestId };
    request.actor = actor;
    request.tell = (type, subjectId, data) => buildEventWrite(cause, type, subjectId, data);
  },
});
