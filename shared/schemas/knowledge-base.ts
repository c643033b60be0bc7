import * as v from 'valibot';
import { define } from '../define.ts';
import { Envelope, Integer, Name, object, Reason, Text, Timestamp, Uuid } from './common.ts';
import { UploadedFile } from './upload.ts';

export const Status = /* @__PURE__ */ define(() => v.picklist(['processing', 'ready', 'failed']));
export type Status = v.InferOutput<typeof Status>;

const Count = /* @__PURE__ */ define(() => v.pipe(v.number(), v.integer(), v.minValue(0)));

/** One uploaded document, as far as it has been read. */
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
    vectorstore_index: v.literal('builtin'),
    vectorstore_namespace: Uuid,
    attached_assistant_ids: v.array(Uuid),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);
export type KnowledgeBase = v.InferOutput<typeof KnowledgeBase>;

/** The answer that shows one. */
export const ShownKnowledgeBase = /* @__PURE__ */ define(() => Envelope(KnowledgeBase));

/** A file by way of the API may have so many bytes: Lambda takes 6 MB, of which base64 eats a third. */
export const maxPostedBytes = 4 * 1024 * 1024;

/** A file straight to S3 may have so many bytes. */
export const maxUploadBytes = 50_000_000;

/** An assistant may have so many knowledge bases: it is read with all of them. */
export const maxAttached = 50;

const FileName = /* @__PURE__ */ define(() => Text(1_000));
const KnowledgeBaseName = /* @__PURE__ */ define(() => Name(200));

/** A form with a document. */
export const NewDocument = /* @__PURE__ */ define(() =>
  object({ file: UploadedFile, name: v.nullish(KnowledgeBaseName) }),
);

/** What is announced of a file that goes straight to S3. */
export const NewUpload = /* @__PURE__ */ define(() =>
  object({
    file_name: FileName,
    content_type: Text(256),
    size_bytes: Integer(1, maxUploadBytes),
    name: v.nullish(KnowledgeBaseName),
  }),
);
export type NewUpload = v.InferOutput<typeof NewUpload>;

/** Where and how a file goes straight to S3: a form of these fields, and the file as the last one, `file`. */
export const UploadForm = /* @__PURE__ */ define(() =>
  v.object({ url: v.string(), fields: v.record(v.string(), v.string()), expires_at: Timestamp }),
);

export const KnowledgeBasePath = /* @__PURE__ */ define(() => v.object({ knowledge_base_id: Uuid }));

/** What joins an assistant and a knowledge base. */
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
