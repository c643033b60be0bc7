import { toLanguageConfig } from '../../shared/domain/assistant.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { languageConfig } from '../../shared/routes/assistants.ts';
import * as assistants from '../../shared/store/assistants.ts';

/** Returns the languages that an assistant speaks and understands, and if they match. */
export const handler = endpoint(languageConfig, async ({ params, user }) => {
  const assistant = await assistants.get(user.key, params.assistant_id);
  return {
    body: {
      status: 'success' as const,
      message: 'Language configuration read',
      assistant_id: assistant.id,
      language_config: toLanguageConfig(assistant),
    },
  };
});
