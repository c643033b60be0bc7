import * as v from 'valibot';
import { listUnknownFilters } from '../domain/passage-search.ts';
import { askNeeds, askTells, fullCoreMb, route } from '../route.ts';
import { Envelope } from '../schemas/common.ts';
import { FoundPassage } from '../schemas/knowledge-base.ts';
import { CitedAnswer, PassageSearch, Question } from '../schemas/search.ts';

export const passages = /* @__PURE__ */ route(() => ({
  id: 'search/passages',
  method: 'POST',
  path: '/search/only',
  scope: 'read',
  summary: 'Find passages in your knowledge bases, without a language model',
  description:
    'Searches what is attached to an assistant (`assistant_id`), or the knowledge bases that you name (`knowledge_base_ids`). Without ' +
    'either, it searches your 50 newest that are ready and match the filters; it looks for them among your 200 newest. Knowledge bases ' +
    'that are not ready are skipped. Scores are comparable within one response only.',
  body: PassageSearch,
  listIgnored: listUnknownFilters,
  mayBeLossy: true,
  returns: Envelope(v.object({ passages: v.array(FoundPassage), searched: v.number() })),
  errors: ['NotFound'],
  repeatable: true,
  memoryMb: fullCoreMb,
  needs: {
    rows: { assistants: ['GetItem'], knowledge: ['BatchGetItem', 'Query'] },
    files: { passages: ['GetObject'] },
  },
}));

export const answer = /* @__PURE__ */ route(() => ({
  id: 'search/answer',
  method: 'POST',
  path: '/search',
  scope: 'chat',
  summary: 'Ask a question, and get an answer that cites the documents of an assistant',
  description:
    'Searches what is attached to the assistant, and lets its language model answer from the passages, by its own vendor and your own key. ' +
    '`[2]` in the answer stands for the passage of that number in `citations`. If nothing is found, `answer` is null, and no model is asked. ' +
    'With `stream`, pieces of the answer come as server-sent events, `{"text": …}`, and at the end the same `data`; an error is the last ' +
    'event, `{"detail": …}`.',
  body: Question,
  listIgnored: listUnknownFilters,
  mayBeLossy: true,
  returns: Envelope(CitedAnswer),
  errors: ['NotFound', 'VendorRefused', 'VendorBusy', 'VendorUnavailable'],
  repeatable: true,
  streamSeconds: 120,
  tells: askTells,
  quota: 'search_answers',
  needs: askNeeds,
}));
