import * as v from 'valibot';
import { define } from '../define.ts';
import { List, object, openObject, rule, Text, TimestampInput, Uuid } from './common.ts';
import { FoundPassage, Search } from './knowledge-base.ts';

/** Maximum number of knowledge bases in one search. */
export const maxSearched = 50;

const KnowledgeBaseIds = /* @__PURE__ */ define(() =>
  v.pipe(
    List(Uuid, maxSearched),
    rule('too_short', 1, 'Input should have at least 1 item', (ids: string[]) => ids.length > 0),
  ),
);

/** Conditions that a document must meet, all of them, to be searched. */
export const SearchFilters = /* @__PURE__ */ define(() =>
  object({
    content_types: v.nullish(List(Text(256), 20)),
    file_names: v.nullish(List(Text(1_000), 50)),
    created_from: v.nullish(TimestampInput),
    created_to: v.nullish(TimestampInput),
  }),
);
export type SearchFilters = v.InferOutput<typeof SearchFilters>;

/** Search in the knowledge bases of an assistant, in named ones, or in the user's newest. */
export const PassageSearch = /* @__PURE__ */ define(() =>
  object({
    ...Search.entries,
    assistant_id: v.nullish(Uuid),
    knowledge_base_ids: v.nullish(KnowledgeBaseIds),
    filters: v.nullish(SearchFilters),
  }),
);
export type PassageSearch = v.InferOutput<typeof PassageSearch>;

/** Question that an assistant answers from its own knowledge bases. */
export const Question = /* @__PURE__ */ define(() =>
  object({
    ...Search.entries,
    assistant_id: Uuid,
    filters: v.nullish(SearchFilters),
    stream: v.nullish(v.boolean()),
  }),
);

/** A passage that an answer cites by its number. */
export const Citation = /* @__PURE__ */ define(() => v.object({ number: v.number(), passage: FoundPassage }));
export type Citation = v.InferOutput<typeof Citation>;

/** Answer with the passages that it rests on. The answer is null if nothing was found, and then no model was asked. */
export const CitedAnswer = /* @__PURE__ */ define(() =>
  v.object({
    answer: v.nullable(v.string()),
    citations: v.array(Citation),
    passages: v.array(FoundPassage),
    searched: v.number(),
    usage: v.nullable(openObject({})),
  }),
);
