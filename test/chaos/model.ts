import type { Answer } from '../support/receiver.ts';
import { answerModel } from '../support/vendor.ts';

interface ModelRequest {
  messages: { role: string }[];
  tools?: { function: { name: string } }[];
}

/** Answers as a language model that first searches the documents, if it may, and then cites one. */
export const answerAfterSearch: Answer = (response, request, number) => {
  const { messages, tools = [] }: ModelRequest = JSON.parse(request.body);
  const search = tools.find(({ function: { name } }) => name === 'search_knowledge');
  const hasSearched = messages.some(({ role }) => role === 'tool');
  const answer =
    search && !hasSearched
      ? { calls: [{ name: search.function.name, arguments: { query: 'archive' } }] }
      : { text: 'In the cellar [1].' };
  answerModel(answer)(response, request, number);
};
