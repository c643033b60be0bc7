import { toModel } from '../../shared/domain/chat/model.ts';
import { takeFirst } from '../../shared/domain/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { models } from '../../shared/routes/completions.ts';
import { maxModels } from '../../shared/schemas/chat.ts';
import * as assistants from '../../shared/store/assistants.ts';

/** Lists the caller's newest assistants as models. */
export const handler = endpoint(models, async ({ user }) => {
  const newest = await takeFirst(assistants.list(user.key, undefined, maxModels), maxModels);
  return { body: { object: 'list' as const, data: newest.map(toModel) } };
});
