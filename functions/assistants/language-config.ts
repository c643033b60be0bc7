import { languageConfig as languagesOf } from '../../shared/domain/assistant.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { languageConfig } from '../../shared/routes/assistants.ts';
import * as assistants from '../../shared/store/assistants.ts';

/** Tells which languages an assistant speaks and understands, and whether they are the same. */
export const handler = endpoint(languageConfig, async ({ params, user }) => {
  const assistant = await assistants.get(user.key, params.assistant_id);
  return {
    body: {
      status: 'success' as const,
      message: 'Language configuration read',
      assistant_id: assistant.id,
      language_config: languagesOf(assistant),
    },
  };
});
