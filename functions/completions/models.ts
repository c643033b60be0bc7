import { toModel } from '../../shared/domain/chat/model.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { models } from '../../shared/routes/completions.ts';
import { type Model, maxModels } from '../../shared/schemas/chat.ts';
import * as assistants from '../../shared/store/assistants.ts';

/** Lists the caller's newest assistants as models. */
export const handler = endpoint(models, async ({ user }) => {
  const data: Model[] = [];
  for await (const assistant of assistants.list(user.key, undefined, maxModels)) {
    data.push(toModel(assistant)); // at once: a hundred whole assistants take much memory
    if (data.length === maxModels) break;
  }
  return { body: { object: 'list' as const, data } };
});
