import * as v from 'valibot';
import { type Destination, SearchTool, type Tool } from '../../schemas/tool.ts';
import type { StoredAssistant } from '../assistant.ts';

/** Search of the attached knowledge, if the assistant says nothing about one. */
const buildDefaultSearch = (): Tool => v.parse(SearchTool, { type: 'search' });

/**
 * Lists the tools of a call: those of the assistant, without a search that is off or has nothing to search. Adds a search of the
 * attached knowledge bases, unless the assistant has one, or another tool of its name.
 */
export function listCallTools({ tools, attachments }: Pick<StoredAssistant, 'tools' | 'attachments'>): Tool[] {
  const hasKnowledge = Object.keys(attachments).length > 0;
  const used = tools.filter((tool) => tool.type !== 'search' || (tool.enabled && hasKnowledge));
  const search = buildDefaultSearch();
  const decides = tools.some(({ type, name }) => type === 'search' || name.toLowerCase() === search.name);
  return hasKnowledge && !decides ? [...used, search] : used;
}

const searchParameters = {
  type: 'object' as const,
  properties: { query: { type: 'string', description: 'What to look for, in the words of the documents.' } },
  required: ['query'],
};

const buildTransferParameters = (destinations: readonly Destination[]) => ({
  type: 'object' as const,
  properties: {
    to: {
      type: 'string',
      enum: destinations.map(({ to }) => to),
      description: destinations.map(({ to, when }) => `${to}: ${when}`).join('\n'),
    },
  },
  required: ['to'],
});

/** Returns the JSON Schema of a tool's arguments. */
export function getParameters(tool: Tool): Record<string, unknown> {
  if (tool.type === 'search') return searchParameters;
  if (tool.type === 'transfer') return buildTransferParameters(tool.destinations);
  if (tool.type === 'end_call') return { type: 'object', properties: {} };
  return { properties: {}, ...tool.parameters }; // OpenAI refuses objects without
}
