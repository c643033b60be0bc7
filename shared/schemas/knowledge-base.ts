import * as v from 'valibot';
import { define } from '../define.ts';
import { Envelope, Integer, LanguageCode, List, Name, object, Reason, Text, Timestamp, Uuid } from './common.ts';
import { UploadedFile } from './upload.ts';

export const Status = /* @__PURE__ */ define(() => v.picklist(['processing', 'ready', 'failed']));
export type Status = v.InferOutput<typeof Status>;

const Count = /* @__PURE__ */ define(() => v.pipe(v.number(), v.integer(), v.minValue(0)));

/** Record of an uploaded document. Some fields are null until the document is parsed. */
export const KnowledgeBase = /* @__PURE__ */ define(() =>
  v.object({
    id: Uuid,
    name: v.string(),
    file_name: v.string(),
    content_type: v.string(),
    size_bytes: Count,
    sha256: v.nullable(v.string()),
    status: Status,
    status_reason: v.nullable(Reason),
    char_count: v.nullable(Count),
    chunk_count: v.nullable(Count),
    warnings: v.array(Reason),
    vectorstore_index: v.literal('builtin'),
    vectorstore_namespace: Uuid,
    attached_assistant_ids: v.array(Uuid),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);
export type KnowledgeBase = v.InferOutput<typeof KnowledgeBase>;

/** Response with one knowledge base. */
export const ShownKnowledgeBase = /* @__PURE__ */ define(() => Envelope(KnowledgeBase));

/** Limit of a file sent to the API. Lambda accepts 6 MB, and base64 adds a third. */
export const maxPostedBytes = 4 * 1024 * 1024;

/** Limit of a file uploaded to S3 directly. */
export const maxUploadBytes = 50_000_000;

/** Limit of a text, Markdown, HTML, CSV or JSON file. All of it can be text, which takes many times its size to index. */
export const maxTextBytes = 10_000_000;

/** Limit of the knowledge bases of an assistant. Reading an assistant reads all of them. */
export const maxAttachedKnowledgeBases = 50;

const FileName = /* @__PURE__ */ define(() => Text(1_000));
/** Limit of the languages of a document. */
export const maxLanguages = 5;

/** Length of five language codes with commas between them. */
const maxLanguagesLength = 100;

const KnowledgeBaseName = /* @__PURE__ */ define(() => Name(200));

/** Form with a document. */
export const NewDocument = /* @__PURE__ */ define(() =>
  object({ file: UploadedFile, name: v.nullish(KnowledgeBaseName), languages: v.nullish(Text(maxLanguagesLength, 1)) }),
);

/** Request for an upload form: describes the file that the client will upload to S3. */
export const NewUpload = /* @__PURE__ */ define(() =>
  object({
    file_name: FileName,
    content_type: Text(256),
    size_bytes: Integer(1, maxUploadBytes),
    name: v.nullish(KnowledgeBaseName),
    languages: v.nullish(List(LanguageCode, maxLanguages)),
  }),
);
export type NewUpload = v.InferOutput<typeof NewUpload>;

/** Form for an upload to S3. The client posts these fields and the file as the last field, `file`. */
export const UploadForm = /* @__PURE__ */ define(() =>
  v.object({ url: v.string(), fields: v.record(v.string(), v.string()), expires_at: Timestamp }),
);

export const KnowledgeBasePath = /* @__PURE__ */ define(() => v.object({ knowledge_base_id: Uuid }));

/** Path that identifies the attachment of a knowledge base to an assistant. */
export const AttachmentPath = /* @__PURE__ */ define(() => v.object({ assistant_id: Uuid, knowledge_base_id: Uuid }));

export const Search = /* @__PURE__ */ define(() =>
  object({
    query: Name(2_000),
    limit: v.optional(Integer(1, 20), 5),
  }),
);

export const FoundPassage = /* @__PURE__ */ define(() =>
  v.object({
    knowledge_base_id: Uuid,
    file_name: v.string(),
    page: v.nullable(Count),
    text: v.string(),
    score: v.number(),
  }),
);
export type FoundPassage = v.InferOutput<typeof FoundPassage>;
