import type { Model } from '../../schemas/chat.ts';
import type { StoredAssistant } from '../assistant.ts';

/** Returns an assistant as OpenAI lists a model. */
export const toModel = ({ id, name, created_at }: Pick<StoredAssistant, 'id' | 'name' | 'created_at'>): Model => ({
  id,
  object: 'model',
  created: Math.floor(Date.parse(created_at) / 1000),
  owned_by: 'voice-assistants',
  name,
});
