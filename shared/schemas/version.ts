import * as v from 'valibot';
import { define } from '../define.ts';
import { AssistantContent } from './assistant.ts';
import { Envelope, object, QueryInteger, rule, Text, Timestamp, Uuid } from './common.ts';
import { Live } from './live.ts';

const maxNoteCharacters = 500;

/** Publication of the draft. Without `live`, the next call gets the version. */
export const Publication = /* @__PURE__ */ define(() =>
  object({ note: v.nullish(Text(maxNoteCharacters)), live: v.optional(v.boolean(), true) }),
);
export type Publication = v.InferOutput<typeof Publication>;

/** A version of an assistant. `weight` is its share of the calls in percent, 0 if it is not live. */
export const Version = /* @__PURE__ */ define(() =>
  v.object({
    version: v.number(),
    note: v.nullable(v.string()),
    weight: v.number(),
    attached_knowledge_base_ids: v.array(Uuid),
    published_by: v.string(),
    created_at: Timestamp,
  }),
);
export type Version = v.InferOutput<typeof Version>;

/** Response with one version. */
export const OneVersion = /* @__PURE__ */ define(() => Envelope(Version));

/** A version with all that it holds. The draft has no number, and nobody has published it. */
export const VersionContent = /* @__PURE__ */ define(() =>
  v.object({
    ...Version.entries,
    version: v.nullable(v.number()),
    published_by: v.nullable(v.string()),
    assistant: AssistantContent,
  }),
);
export type VersionContent = v.InferOutput<typeof VersionContent>;

export const VersionList = /* @__PURE__ */ define(() =>
  Envelope(v.object({ versions: v.array(Version), live: v.nullable(Live), next_cursor: v.nullable(v.string()) })),
);

export const OneVersionContent = /* @__PURE__ */ define(() => Envelope(VersionContent));

export const VersionsQuery = /* @__PURE__ */ define(() =>
  v.object({ limit: v.optional(QueryInteger(1, 100), '20'), cursor: v.optional(v.string()) }),
);

/** One field that differs between two versions. A value is null where the field is missing. */
export const Change = /* @__PURE__ */ define(() =>
  v.object({ path: v.array(v.string()), before: v.unknown(), after: v.unknown() }),
);
export type Change = v.InferOutput<typeof Change>;

/** Differences between two versions. A number is null for the draft, and for none. */
export const VersionDiff = /* @__PURE__ */ define(() =>
  Envelope(v.object({ version: v.nullable(v.number()), against: v.nullable(v.number()), changes: v.array(Change) })),
);

const reference = /^(?:live|draft|[1-9]\d{0,5})$/;

/** A version as a URL names it: its number, `live` for what calls get, or `draft`. */
export const VersionReference = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule('version', reference.source, 'Input should be the number of a version, live or draft', (text: string) =>
      reference.test(text),
    ),
    v.transform((text): 'live' | 'draft' | number => (text === 'live' || text === 'draft' ? text : Number(text))),
  ),
);
export type VersionReference = v.InferOutput<typeof VersionReference>;

export const VersionPath = /* @__PURE__ */ define(() =>
  v.object({ assistant_id: Uuid, version: QueryInteger(1, 999_999) }),
);
export const VersionReferencePath = /* @__PURE__ */ define(() =>
  v.object({ assistant_id: Uuid, version: VersionReference }),
);

export const DiffQuery = /* @__PURE__ */ define(() => v.object({ against: v.optional(VersionReference) }));
