import { toModel } from '../../shared/domain/chat/model.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { models } from '../../shared/routes/completions.ts';
import { type Model, maxModels } from '../../shared/schemas/chat.ts';
import * as assistants from '../../shared/store/assistants.ts';

/** Lists the caller's newest assistants as models. */
export const handler = endpoint(models, async ({ user }) => {
  const data: Model[] = [];
  // Converts each row at once: the settings in a hundred rows may be 30 MB.
  for await (const row of assistants.list(user.key, undefined, maxModels))
    if (data.push(toModel(row)) === maxModels) break;
  return { body: { object: 'list' as const, data } };
});
