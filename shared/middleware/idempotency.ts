import { Conflict } from '../errors.ts';
import type { Route } from '../route.ts';
import { AlreadyAnswered, recall, remember } from '../store/once.ts';
import { header, type Layer } from './onion.ts';
import { success } from './respond.ts';

const name = 'idempotency-key';

/**
 * Makes a POST safe to repeat: the same `Idempotency-Key` and request within a day gets the first successful answer again
 * (draft-ietf-httpapi-idempotency-key-header). The handler passes `once(answer)` to its store; `validate` has checked the key.
 */
export const idempotency = (route: Route): Layer => ({
  before({ event }) {
    const { call } = event;
    const key = header(event, name);
    if (key === undefined) return;
    const request = { params: call.params, body: call.body };
    call.isKeyed = true;
    const repeatable = { owner: call.user.key, route: route.id, key, request };
    call.once = (answer) => [remember(repeatable, answer)];
    call.replay = () => recall(repeatable);
  },
  onError(request) {
    const { error } = request;
    if (!(error instanceof AlreadyAnswered)) return;
    if (error.same) request.response = success(request, route, error.answer, { 'idempotent-replay': 'true' });
    else request.error = new Conflict(['header', name], 'This key was used for another request: take a new one');
  },
});
