import * as v from 'valibot';
import { fullCoreMb, route } from '../route.ts';
import { AssistantId } from '../schemas/assistant.ts';
import { Deleted, Envelope, QueryInteger, Timestamp, Uuid } from '../schemas/common.ts';
import {
  AttachmentPath,
  FoundPassage,
  KnowledgeBase,
  KnowledgeBasePath,
  NewDocument,
  NewUpload,
  Search,
  ShownKnowledgeBase,
  UploadForm,
} from '../schemas/knowledge-base.ts';

const fileKinds =
  'Supports PDF, DOCX, PPTX, XLSX, ODT, ODS, ODP, RTF, EPUB, EML, text, Markdown, HTML, CSV, JSON and images (PNG, JPEG, ' +
  'WebP, TIFF, GIF, BMP, JPEG 2000), detected by content. ' +
  'The `status` of the record is `processing`, then `ready`, or `failed` with the reason.';

export const create = /* @__PURE__ */ route(() => ({
  id: 'knowledge-bases/create',
  method: 'POST',
  path: '/assistants/knowledge-base',
  scope: 'write',
  summary: 'Upload a file as a knowledge base',
  description: `One file of up to 4 MB, as the part \`file\`. ${fileKinds}`,
  form: true,
  body: NewDocument,
  returns: ShownKnowledgeBase,
  creates: true,
  errors: [],
  tells: ['knowledge_base.created'],
  quota: 'uploads',
  needs: {
    rows: { knowledge: ['PutItem'], once: ['GetItem', 'PutItem'] },
    files: { uploads: ['PutObject', 'DeleteObject'] },
  },
}));

export const createUpload = /* @__PURE__ */ route(() => ({
  id: 'knowledge-bases/create-upload',
  method: 'POST',
  path: '/assistants/knowledge-base/uploads',
  scope: 'write',
  summary: 'Get a form that uploads a large file straight to S3',
  description:
    'For files of up to 50 MB; text, Markdown, HTML, CSV, JSON and files that declare no kind up to 10 MB. Post the returned `fields` as a form to `url`, with the file as the last field, `file`. ' +
    'S3 accepts exactly `size_bytes` bytes. ' +
    fileKinds,
  body: NewUpload,
  returns: Envelope(v.object({ knowledge_base: KnowledgeBase, upload: UploadForm })),
  creates: true,
  errors: [],
  tells: ['knowledge_base.created'],
  quota: 'uploads',
  needs: { rows: { knowledge: ['PutItem'], once: ['GetItem', 'PutItem'] }, files: { uploads: ['PutObject'] } },
}));

export const list = /* @__PURE__ */ route(() => ({
  id: 'knowledge-bases/list',
  method: 'GET',
  path: '/assistants/knowledge-base',
  scope: 'read',
  summary: 'List your knowledge bases, newest first',
  query: v.object({ limit: v.optional(QueryInteger(1, 1000)), cursor: v.optional(v.string()) }),
  returns: Envelope(v.object({ knowledge_bases: v.array(KnowledgeBase), next_cursor: v.nullable(v.string()) })),
  cursor: true,
  errors: [],
  needs: { rows: { knowledge: ['Query'] } },
}));

export const get = /* @__PURE__ */ route(() => ({
  id: 'knowledge-bases/get',
  method: 'GET',
  path: '/assistants/knowledge-base/{knowledge_base_id}',
  scope: 'read',
  summary: 'Read the record of a knowledge base',
  params: KnowledgeBasePath,
  returns: ShownKnowledgeBase,
  errors: ['NotFound'],
  needs: { rows: { knowledge: ['GetItem'] } },
}));

export const remove = /* @__PURE__ */ route(() => ({
  id: 'knowledge-bases/delete',
  method: 'DELETE',
  path: '/assistants/knowledge-base/{knowledge_base_id}',
  scope: 'write',
  summary: 'Delete a knowledge base with its file',
  description: 'If it is attached to an assistant, this requires `force=true`, which detaches it first.',
  params: KnowledgeBasePath,
  query: v.object({ force: v.optional(v.picklist(['true', 'false'])) }),
  returns: Deleted,
  errors: ['NotFound', 'Conflict'],
  tells: ['knowledge_base.deleted'],
  needs: {
    rows: { knowledge: ['GetItem', 'UpdateItem', 'DeleteItem'], assistants: ['UpdateItem'] },
    files: {
      uploads: ['DeleteObject'],
      passages: ['DeleteObject'],
      erasures: ['PutObject', 'DeleteObject'],
    },
  },
}));

export const createAttached = /* @__PURE__ */ route(() => ({
  id: 'knowledge-bases/create-attached',
  method: 'POST',
  path: '/assistants/{assistant_id}/knowledge-base',
  scope: 'write',
  summary: 'Upload a file, and attach it as a knowledge base',
  description: `One file of up to 4 MB, as the part \`file\`. ${fileKinds}`,
  params: AssistantId,
  form: true,
  body: NewDocument,
  returns: ShownKnowledgeBase,
  creates: true,
  errors: ['NotFound'],
  tells: ['knowledge_base.created'],
  quota: 'uploads',
  needs: {
    rows: { knowledge: ['PutItem'], assistants: ['UpdateItem'], once: ['GetItem', 'PutItem'] },
    files: { uploads: ['PutObject', 'DeleteObject'] },
  },
}));

export const attach = /* @__PURE__ */ route(() => ({
  id: 'knowledge-bases/attach',
  method: 'PUT',
  path: '/assistants/{assistant_id}/knowledge-bases/{knowledge_base_id}',
  scope: 'write',
  summary: 'Attach a knowledge base to an assistant',
  description:
    'Repeating it changes nothing. An assistant has at most 50 knowledge bases; a knowledge base at most 1,000 assistants.',
  params: AttachmentPath,
  returns: Envelope(v.object({ assistant_id: Uuid, knowledge_base_id: Uuid, attached_at: Timestamp })),
  errors: ['NotFound', 'Conflict'],
  tells: ['knowledge_base.attached'],
  needs: { rows: { assistants: ['BatchGetItem', 'UpdateItem'], knowledge: ['BatchGetItem', 'UpdateItem'] } },
}));

export const detach = /* @__PURE__ */ route(() => ({
  id: 'knowledge-bases/detach',
  method: 'DELETE',
  path: '/assistants/{assistant_id}/knowledge-bases/{knowledge_base_id}',
  scope: 'write',
  summary: 'Detach a knowledge base from an assistant',
  description: 'The knowledge base stays.',
  params: AttachmentPath,
  returns: Envelope(AttachmentPath),
  errors: ['NotFound', 'Conflict'],
  tells: ['knowledge_base.detached'],
  needs: { rows: { assistants: ['UpdateItem'], knowledge: ['UpdateItem'] } },
}));

export const search = /* @__PURE__ */ route(() => ({
  id: 'knowledge-bases/search',
  method: 'POST',
  path: '/assistants/{assistant_id}/search',
  scope: 'runtime',
  summary: 'Search the knowledge bases of an assistant',
  description:
    'Returns the best passages of all its knowledge bases. Searches for the words of the query in any form, and for similar ones if ' +
    'a word is not found. Scores are comparable within one response only.',
  params: AssistantId,
  body: Search,
  mayBeLossy: true,
  returns: Envelope(v.object({ passages: v.array(FoundPassage) })),
  errors: ['NotFound'],
  repeatable: true,
  memoryMb: fullCoreMb,
  needs: { rows: { assistants: ['GetItem'], knowledge: ['BatchGetItem'] }, files: { passages: ['GetObject'] } },
}));
