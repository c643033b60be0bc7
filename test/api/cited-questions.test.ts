import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readData } from '../../bench/corpus.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { FoundPassage } from '../../shared/schemas/knowledge-base.ts';
import type { Citation } from '../../shared/schemas/search.ts';
import { type Client, createUser, deployed } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { readSample } from '../support/documents.ts';
import { uploadAndWait } from '../support/knowledge-bases.ts';
import { startReceiver } from '../support/receiver.ts';
import { drawSample } from '../support/sample.ts';
import { eventually } from '../support/timeouts.ts';
import { answerModel } from '../support/vendor.ts';

interface Question {
  document: string;
  question: string;
  /** Numbers of the pages that contain the answer. */
  pages: number[];
}

type Quoted = Pick<FoundPassage, 'file_name' | 'page' | 'text'>;

/** The documents of `npm run bench:retrieval`: two files with pages, and five texts that count a paragraph as a page. */
const pdfs = ['fairy-tales', 'tax-form'];
const texts = ['mietordnung', 'hotel', 'gimnasio', 'clinic-zh', 'library-ja'];
const pagesOfTexts = new Map<string, string[]>(texts.map((name) => [`${name}.txt`, readData(name)]));
const questions = drawSample(readData('questions') as Question[], 40, ({ question }) => question);

/** True if a passage holds the answer to a question: it is of a page that does, or has such a page of a text. */
function holdsAnswer({ document, pages }: Question, { file_name, page, text }: Quoted): boolean {
  if (!file_name.startsWith(`${document}.`)) return false;
  if (page !== null) return pages.includes(page);
  const held = pagesOfTexts.get(file_name) ?? [];
  return pages.some((number) => text.includes(held[number - 1] ?? '\0'));
}

const asked = new Map(questions.map((question) => [question.question, question]));
const vendor = await startReceiver((response, request, number) => {
  const [system, { content: query }] = JSON.parse(request.body).messages;
  const quoted: (Quoted & { number: number })[] = system.content
    .split('\n')
    .flatMap((line: string) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const question = asked.get(query);
  const cited = quoted.filter((passage) => question && holdsAnswer(question, passage));
  const text = `It says so ${cited.map((passage) => `[${passage.number}]`).join('')}.`;
  answerModel({ text })(response, request, number);
});
afterAll(() => vendor.stop());

describe.skipIf(deployed)('answers to the questions of the retrieval benchmark', () => {
  let user: Client;
  let assistant: Assistant;

  beforeAll(async () => {
    user = await createUser();
    await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-any' });
    const llm = { model: 'gpt-4.1-mini', base_url: new URL('/v1', vendor.url).href };
    assistant = (await createAssistant(user, { llm })).body;
    const documents = [
      ...pdfs.map((name) => [`${name}.pdf`, readSample(`${name}.pdf`)] as const),
      ...[...pagesOfTexts].map(([name, pages]) => [name, pages.join('\n\n')] as const),
    ];
    for (const [name, content] of documents) {
      const { id } = await uploadAndWait(user, content, name);
      await user.put(`/assistants/${assistant.id}/knowledge-bases/${id}`, undefined);
    }
  });

  /** Asks a question, again while a busy machine makes the database too slow for an answer. */
  const ask = <T>(path: string, { question }: Question): Promise<T> =>
    eventually(async () => {
      const { status, body, text } = await user.post<{ data: T }>(path, {
        assistant_id: assistant.id,
        query: question,
      });
      if (status !== 200) throw new Error(text);
      return body.data;
    });

  it('cite a passage that holds the answer wherever the search finds one', async () => {
    const found: Question[] = [];
    const cited: Question[] = [];
    for (const question of questions) {
      const [{ passages }, { citations }] = await Promise.all([
        ask<{ passages: FoundPassage[] }>('/search/only', question),
        ask<{ citations: Citation[] }>('/search', question),
      ]);
      if (passages.some((passage) => holdsAnswer(question, passage))) found.push(question);
      if (citations.some(({ passage }) => holdsAnswer(question, passage))) cited.push(question);
    }
    expect(cited).toEqual(found);
    expect(found.length).toBeGreaterThan(questions.length * 0.8);
  });
});
