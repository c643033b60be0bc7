import { answerWith } from '../../shared/domain/assistant.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { get } from '../../shared/routes/assistants.ts';
import * as assistants from '../../shared/store/assistants.ts';

/** Reads one assistant of the caller; another user's cannot even be addressed. */
export const handler = endpoint(get, async ({ params, user }) =>
  answerWith(await assistants.get(user.key, params.assistant_id), user),
);
