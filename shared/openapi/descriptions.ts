// Descriptions in the OpenAPI document that routes and schemas do not contain. Data only: they validate nothing.
import { catalogue, languages } from './vendors.ts';

const listModels = (vendors: Record<string, string[]>) => [...new Set(Object.values(vendors).flat())];

/** Descriptions and examples by field name, used in every schema with such a field. */
export const fieldNotes: Record<string, { description: string; examples?: string[] }> = {
  system_instruction: {
    description: 'The system prompt of the language model: what the assistant is, knows and does.',
  },
  description: { description: 'A note for people; of a tool, when the model should call it.' },
  first_message: { description: 'What the assistant says first. Null: it waits for the caller.' },
  voice: { description: 'Speech synthesis.' },
  llm: { description: 'The language model.' },
  transcriber: { description: 'Speech recognition.' },
  knowledge_base: {
    description: 'A vector store, or `builtin` with the id of a knowledge base, which is then attached.',
  },
  transport: { description: 'How calls reach the assistant.' },
  variables: {
    description:
      'Values that the texts take from each call: `{{name}}` in the instruction, the first message, and what tools say and send (Liquid). ' +
      'Null: the texts are no templates.',
  },
  timezone: { description: 'Where `{{date}}` and `{{time}}` are read: a name of the IANA database.' },
  tools: {
    description:
      'What the model may call, besides a search of the attached knowledge, which every assistant with some gets.',
  },
  mcp_servers: { description: 'Servers of the Model Context Protocol, whose tools the worker offers to the model.' },
  parameters: {
    description: 'JSON Schema of the arguments: up to eight levels and 100 properties, without references.',
  },
  say: { description: 'What the assistant says while the tool runs, and if it fails.' },
  query: { description: "What to look for; of a tool's request, what it carries in its query." },
  timeout_seconds: { description: 'How long the answer may take.' },
  credential: { description: 'The stored credential whose key the request carries. Null: none.' },
  header: { description: 'The header that carries the key.' },
  prefix: { description: 'What stands before the key.' },
  destinations: { description: 'Where calls can be transferred to, and when.' },
  allowed_tools: { description: 'The tools that the model may use. Null: all.' },
  enabled: { description: 'False: it is off.' },
  rendered: { description: 'The texts with the values of the variables. Null if they cannot be rendered.' },
  missing: { description: 'The variables without a value.' },
  functions: { description: 'The tools that can be called, as language models take them.' },
  unavailable: { description: 'Why it cannot be called; `type` is a stable name.' },
  http: { description: 'The request to send. Null for other tools, and if the service sends it.' },
  call: { description: 'What is known of the call: `{{call.from}}` in a text.' },
  call_id: { description: 'The id of the call of the tool, which the API gets as `idempotency-key`.' },
  arguments: { description: 'The arguments that the model gave.' },
  result: { description: "The API's answer: its JSON, or else its text, up to 64 KB." },
  truncated: { description: 'Whether the answer was longer.' },
  voice_id: { description: "The vendor's id of the voice. Null: the vendor's own default." },
  tts_provider: { description: 'The vendor of the voice.', examples: Object.keys(catalogue.tts) },
  tts_model: {
    description: "The vendor's model; `default` is the vendor's own choice.",
    examples: listModels(catalogue.tts),
  },
  llm_provider: { description: 'The vendor of the language model.', examples: Object.keys(catalogue.llm) },
  messages: { description: 'What was said so far, as OpenAI has it, with texts and images.' },
  stream: { description: 'Sends the answer in pieces, as server-sent events.' },
  stream_options: { description: 'With `include_usage`, the last event has the usage.' },
  response_format: {
    description: 'The form of the answer. Vendors that do not know it get a tool that they must call.',
  },
  store: { description: 'Saves the conversation as a session. By default, if there is a `session_id`.' },
  execute_tools: {
    description: "Runs the assistant's `search` and `http` tools. False: all calls come back to the client.",
  },
  requests: { description: 'What to ask, up to 1,000 requests.' },
  custom_id: { description: 'An id of the request of your choice, unique in the job.' },
  total: { description: 'The number of requests.' },
  succeeded: { description: 'The number of requests that are answered.' },
  failed: { description: 'The number of requests that could not be answered.' },
  ended_at: { description: 'When the last request was answered. Null until then.' },
  answers: { description: 'Where to get the answers, as lines of JSON, for 15 minutes. Null until the job is done.' },
  image: { description: 'An https address, which the vendor reads, or the image as `data:image/png;base64,…`.' },
  question: { description: 'What to say of the image.' },
  agent_name: { description: 'The name of the worker that takes the call, its `LIVEKIT_AGENT_NAME`.' },
  ttl_seconds: { description: 'How long the token can be used to join.' },
  token: { description: 'The token of LiveKit with which the browser joins.' },
  tool_results: { description: 'What the tools of the assistant gave, in order.' },
  passages: { description: 'What was found in the attached knowledge.' },
  model: { description: "The vendor's model.", examples: listModels(catalogue.llm) },
  stt_provider: { description: 'The vendor of the speech recognition.', examples: Object.keys(catalogue.stt) },
  stt_model: { description: "The vendor's model.", examples: listModels(catalogue.stt) },
  language: {
    description: "A language code as the vendor writes it, stored as sent; some take `multi` or `auto` for 'any'.",
    examples: languages,
  },
  sip_config: {
    description: 'Settings of your SIP trunk, returned as sent. Do not put secrets here: store those as credentials.',
  },
  live: {
    description:
      'The versions that calls get, null for the draft. When publishing: whether they get the new version at once.',
  },
  has_unpublished_changes: { description: 'Whether the draft differs from the newest live version.' },
  weight: { description: 'Share of the calls that get the version, in percent.' },
  note: { description: 'What is new, for people.' },
  attached_knowledge_base_ids: {
    description: 'The knowledge bases that were attached when it was published. Calls use those of today.',
  },
  published_by: { description: 'The user who published it. Null for the draft.' },
  changed_by: { description: 'The user who made them live.' },
  before: { description: 'The value in the other version. Null: it has none.' },
  after: { description: 'The value in this version. Null: it has none.' },
  against: { description: 'The version that it is compared with. Null: the draft, or none.' },
  attached_knowledge_bases: { description: 'The attached knowledge bases, in their current state.' },
  service_type: {
    description: "A third-party service, stored in lower case. Vendors' aliases (`11labs`) name the same service.",
    examples: [...new Set(Object.values(catalogue).flatMap(Object.keys))],
  },
  api_key: {
    description: "The service's secret, trimmed and stored encrypted. Only the worker's configuration returns it.",
  },
  raw: {
    description:
      'The item as it was sent, or `{truncated: true}` if it is too large for a response (2.5 MB and more): then `content` is cut after 600,000 characters, `name` and `call_id` after 1,000.',
  },
  workspace: { description: 'The workspace that you act in. Null: your own world.' },
  workspaces: { description: 'The workspaces that `X-Workspace` may choose.' },
  tier: { description: 'The name of your limits. Null: the service has no tiers.' },
  quotas: {
    description:
      'The limits that apply to you or to the API key, with what is used. Quotas without a limit are left out.',
  },
  quota: {
    description: 'What the key may spend in a day (UTC), besides the limits of the tier. A missing one is unlimited.',
  },
  completions: { description: 'Answers in text, also those of jobs and about images.' },
  search_answers: { description: 'Answers of `POST /search`.' },
  tool_calls: { description: 'Calls of `http` tools by workers.' },
  web_calls: { description: 'Calls from a browser.' },
  uploads: { description: 'Documents, and forms to upload one.' },
  set_by: { description: "Whose limit it is: the tier's, for everything of the owner, or the API key's own." },
  used: { description: 'How much of it is used today.' },
  resets_at: { description: 'When the count starts anew: the next midnight in UTC.' },
  masked_key: { description: 'The last four characters of the key; none if it has eight or fewer.' },
  scopes: {
    description:
      'What the key or the role in a workspace may do: `read`, `write` (change), `chat` (ask assistants in text), `logs` (save call logs), ' +
      '`runtime` (read what a worker needs, including secrets), `events` (read the journal), `webhooks` (send events to any address).',
  },
  subject: { description: 'What changed.' },
  actor: { description: 'Who changed it.' },
  request_id: { description: 'The `x-request-id` of the request that made the change.' },
  grace_seconds: { description: 'How long the old one stays valid.' },
  replaced_by: { description: 'The id of the key that replaced it, if it was rotated.' },
  last_used_at: { description: 'The hour of its last use.' },
  secret: { description: 'The secret itself. Returned only once.' },
  events: { description: 'What it subscribes to: types of events, all types of a subject (`call.*`), or all (`*`).' },
  include: { description: 'What deliveries carry in addition: `transcript`, for events of calls, up to 512 KB.' },
  headers: { description: 'Headers that each delivery carries, stored encrypted. Responses have only their names.' },
  masked_secret: { description: 'The last four characters of the secret.' },
  secret_encoding: {
    description:
      'How to get the signing key from the secret: `base64`, after a prefix `whsec_` if it has one, or its bytes as `utf8`.',
  },
  disabled_reason: {
    description: 'Why the service has disabled it: `failing` for five days, or `gone` (410). Null if you did.',
  },
  next_probe_at: { description: 'When a resting receiver is asked again.' },
  next_attempt_at: { description: 'When it is tried again. Null if it is not, or while the receiver rests.' },
  history: { description: 'The last ten attempts, oldest first, each with the first 500 characters of the answer.' },
  reason: { description: 'Why it has failed for good; a stable name.' },
  payload: { description: 'What was sent, without a transcript. Null if the event has expired.' },
  only_failed: { description: 'Sends only what has failed.' },
  types: { description: 'Only events of these types, named as in `events`.' },
  usage: {
    description:
      "What each model used, as LiveKit's `session.usage` reports it: `type` (`llm_usage`, `tts_usage`, `stt_usage`), `provider`, `model`, " +
      '`input_tokens`, `input_cached_tokens`, `output_tokens`, `characters_count`, `audio_duration` in seconds.',
  },
  cost: {
    description: 'What it cost, in the currency of your prices. Null if neither the worker nor your prices say.',
  },
  assistant_version: { description: 'The version of the assistant that took the call.' },
  latency_ms: { description: "The median time from the end of the caller's turn to the answer, in milliseconds." },
  latency: { description: 'Percentiles over all turns, in milliseconds, estimated from a histogram.' },
  ended: {
    description:
      'Number of calls by end reason, in lower case with `_` between words: the thousand most frequent ones.',
  },
  models: { description: 'What each model used: the thousand most expensive ones, those without a price last.' },
  entries: {
    description:
      'Prices by name: `call`, or kind, provider and model (`llm:openai/gpt-4.1-mini`), or all models of a provider (`tts:cartesia/*`).',
  },
  currency: { description: 'A currency code (ISO 4217). USD until you set another.' },
  preview: { description: "The caller's first words, or anyone's if the caller said nothing." },
  end_reason: { description: 'Why the call ended, in the words of the worker.' },
  file: { description: 'The document.' },
  file_name: { description: 'The name of the file.' },
  size_bytes: { description: 'The size of the file.' },
  languages: {
    description:
      'The languages of its scans and pictures, such as `de` or `zh-Hans`, of those that the deployment reads; in a form, with commas ' +
      'between them. Unset: detected.',
  },
  sha256: { description: 'The SHA-256 of the file, in hex; null until it has arrived.' },
  status_reason: { description: 'Why it failed, if it did; `type` is a stable name, `msg` says what to do.' },
  char_count: { description: 'Characters of its text, in UTF-16 code units.' },
  chunk_count: { description: 'Number of searchable passages.' },
  warnings: {
    description:
      'What you should know about a document that is ready, such as a guessed encoding; `type` is a stable name, `msg` says what to do.',
  },
  vectorstore_namespace: {
    description: 'The id of a knowledge base if `vectorstore_index` is `builtin`; it is then attached.',
  },
  page: { description: 'The page where the passage begins; null if the format has no pages.' },
  score: { description: 'How well it matches, compared with others in the same response.' },
  knowledge_base_ids: { description: 'The knowledge bases to search, instead of those of an assistant.' },
  filters: { description: 'What a document must meet to be searched: all of these.' },
  content_types: { description: 'It is of one of these media types, such as `application/pdf`. Empty: of any.' },
  file_names: { description: 'Its file has one of these names, in any case. Empty: any.' },
  created_from: { description: 'It was uploaded at this time or later (RFC 3339).' },
  created_to: { description: 'It was uploaded at this time or earlier (RFC 3339).' },
  searched: { description: 'The number of documents that were searched.' },
  reasons: { description: 'Why a credential is missing, if it is; `type` is a stable name.' },
  is_consistent: { description: 'Whether both languages are the same, or one of them is `multi` or `auto`.' },
};

/** Descriptions of path and query parameters: by name, or by route id and name. */
export const parameterNotes: Record<string, string> = {
  tools: 'Who runs `http` tools: the `worker`, which then gets their keys, or this service (`remote`).',
  version: 'The version: its number, `live` for the one that the call gets, or `draft`.',
  'versions/get version': 'The number of a version, `live` for the one that most calls get, or `draft`.',
  'versions/diff version': 'The number of a version, `live` for the one that most calls get, or `draft`.',
  'versions/restore version': 'The number of the version.',
  'versions/delete version': 'The number of the version.',
  'versions/list cursor': 'Where to continue: `next_cursor` of the previous response.',
  against: 'The version to compare with: a number, `live` or `draft`. Without it, the one before.',
  call: 'The room of the call, which decides among the live versions.',
  'mcp/serve tools': 'The groups of tools to offer, separated by commas: `assistants,logs`. Without it, all.',
  tool_name: 'The name of one of its `http` tools, in any case.',
  assistant_id: 'The id of one of your assistants, in any case.',
  limit: 'Maximum number of items in one response. Without it as many as fit, unless the operation says otherwise.',
  cursor: 'Where to continue: from the `Link` header of the previous response.',
  name: 'Only those whose name contains this text, in any case, with or without accents.',
  session_id: 'The id of one of your sessions.',
  api_key_id: 'The id of one of your API keys.',
  knowledge_base_id: 'The id of one of your knowledge bases, in any case.',
  force: '`true` detaches it from all assistants first.',
  'knowledge-bases/list cursor': 'Where to continue: `next_cursor` of the previous response.',
  room_name: 'Only those of this room.',
  from: 'Only calls that started at this time or later (RFC 3339).',
  to: 'Only calls that started at this time or earlier (RFC 3339).',
  type: 'Only events of this type, such as `call.completed`, or of all types of a subject, such as `call.*`.',
  subject_id: 'Only events about the thing with this id.',
  actor_id: 'Only events of this actor: the `sub` of a user, or the id of an API key or machine client.',
  job_id: 'The id of one of your jobs, in any case.',
  webhook_id: 'The id of one of your webhooks, in any case.',
  event_id: 'The id of an event that was delivered, or should have been.',
  status: 'Only deliveries with this status.',
  'webhooks/deliveries cursor': 'Where to continue: `next_cursor` of the previous response.',
  after: 'The id of the last event that you know.',
  settled: '`false` includes events of the last 20 seconds, among which others may still appear.',
  'logs/audit from': 'Only events of this time or later (RFC 3339).',
  'logs/audit to': 'Only events of this time or earlier (RFC 3339).',
  'logs/audit cursor': 'Where to continue: `next_cursor` of the previous response.',
  'events/list cursor': 'Where to continue: `next_cursor` of the previous response. It replaces `after`.',
  skip: 'Number of items to skip.',
  'logs/sessions assistant_id': 'Only those of this assistant.',
  'logs/list assistant_id': 'Only those of this assistant.',
  'logs/sessions cursor': 'Where to continue: `next_cursor` of the previous response.',
  'logs/get cursor': 'Where to continue: `next_cursor` of the previous response.',
  'logs/list cursor': 'Where to continue: `next_cursor` of the previous response.',
  service_type: 'A third-party service, in any case: `elevenlabs`, or its alias `11labs`.',
  'usage/stats from': 'The first day, in UTC: 2026-11-01. Without it, the last 30 days.',
  'usage/stats to': 'The last day, in UTC. Without it, today.',
  'usage/stats assistant_id': 'Only calls of this assistant.',
  'analytics/usage from': 'The first day, in UTC: 2026-11-01. Without it, 30 days before the last.',
  'analytics/usage to': 'The last day, in UTC. Without it, today.',
  'analytics/usage assistant_id': 'Only calls of this assistant.',
  group_by: 'What to compare.',
  interval: 'Length of the intervals. Weeks start on Monday.',
  'credentials/delete name': 'Which credential of the service, if it has several.',
};

/** Descriptions of the groups of operations, by the first part of their ids. */
export const tagNotes: Record<string, string> = {
  logs: 'What was said in calls, and who changed what.',
  events: 'Everything that changes, for programs that catch up.',
  webhooks: 'Events that are sent to your own servers, and what became of them.',
  versions: 'What calls get of an assistant: published, compared, rolled out and rolled back.',
  usage: 'Sums of calls, latency and cost, and the prices that the cost follows from.',
  analytics: 'Usage over time, compared by assistant, version, model or end reason.',
  completions: 'Assistants that answer in text, in the form of OpenAI.',
  jobs: 'Many requests to assistants at once.',
  vision: 'Questions about images.',
  'web-calls': 'Calls from a browser.',
  mcp: 'The operations as tools for coding agents.',
  chats: 'The same calls, listed by limit and skip.',
  'knowledge-bases': 'Documents that assistants know: upload, read, attach, search.',
  search: 'Passages of your documents, and answers that cite them.',
  'api-keys': 'Keys for workers, which run without a person signed in.',
  credentials: 'Keys of third-party services, stored encrypted.',
  protected: 'Your identity, as the service sees it.',
  assistants: 'Voice assistants: what they say, and the voice, language model and speech recognition they use.',
};

/** Descriptions of response headers. */
export const headerNotes: Record<string, string> = {
  'x-request-id': 'The id of this request in the logs of the service.',
  etag: 'The version of the resource, for `If-None-Match` and `If-Match`.',
  location: 'The path of what was created.',
  link: 'The next page, if there is one: `<?cursor=…>; rel="next"` (RFC 8288), relative to the request.',
  'x-ignored-fields':
    'Unknown query parameters and keys of the body, and values that were left out because they make no sense, percent-encoded.',
  'x-did-you-mean':
    'Fields of the body that are stored as sent but look mistyped, percent-encoded, each with the probable name or vendor: ' +
    '`voice.spede=speed, llm.llm_provider=openai`.',
  'x-template-unknown':
    'Names that the texts read as templates, and that are neither variables of the assistant nor built in, percent-encoded: `custmer, ' +
    'call.form`. They are empty in a call that does not send them.',
  'idempotent-replay': '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
  'retry-after': 'Seconds to wait before the same request may succeed.',
  'ratelimit-policy':
    'The limit that was reached (draft-ietf-httpapi-ratelimit-headers): `"completions";q=100;w=86400` is 100 a day. The limit of an API ' +
    'key is called `api_key.completions`.',
  ratelimit: 'What is left of it, and the seconds until it starts anew: `"completions";r=0;t=3600`.',
  'x-should-retry': "`false`: OpenAI's clients do not send the request again by themselves.",
  'x-amzn-remapped-www-authenticate':
    'The challenge of RFC 6750, under the name that API Gateway gives `WWW-Authenticate`.',
};

/** Request headers that operations accept. */
export const headerParameters = {
  'x-workspace': {
    name: 'X-Workspace',
    description:
      'The workspace to act in, percent-encoded, or `personal` for your own world. Needed if you have several, which the 409 names. ' +
      'Ignored with an API key.',
    schema: { type: 'string' },
  },
  'idempotency-key': {
    name: 'Idempotency-Key',
    description: 'A key of your choice, such as a UUID: the same key and body get the first successful response again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'if-match': {
    name: 'If-Match',
    description:
      'The `ETag` that you read: 412 if anyone has edited the resource since. Attaching knowledge bases does not count.',
    schema: { type: 'string', maxLength: 400 },
  },
  'if-none-match': {
    name: 'If-None-Match',
    description: 'The `ETag` that you have: 304 without a body if it is still current.',
    schema: { type: 'string' },
  },
};

/** Descriptions of the error statuses, and the names of their responses. */
export const statusNotes: Record<number, { name: string; description: string }> = {
  400: {
    name: 'BadRequest',
    description: 'The gateway cannot read the request, for example because of damaged compression',
  },
  401: { name: 'Unauthorized', description: 'Missing or invalid token' },
  403: {
    name: 'Forbidden',
    description:
      'The API key or the role lacks the scope that the operation needs, or the operation accepts no keys, or only keys; ' +
      'or you are not a member of the workspace; or the firewall blocked the request',
  },
  404: { name: 'NotFound', description: "You have nothing with this id; other users' resources are not found either" },
  409: {
    name: 'Conflict',
    description:
      'Another request is writing the same thing, or the `Idempotency-Key` was used for another request, or you have several ' +
      'workspaces and chose none',
  },
  412: { name: 'PreconditionFailed', description: '`If-Match` names a version that is no longer current' },
  413: {
    name: 'TooLarge',
    description: 'The body, or the resource it would create, exceeds the limit that `msg` names',
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'Wrong `Content-Type`. JSON is `application/json` or `*+json`; a missing one counts as JSON',
  },
  422: { name: 'Invalid', description: 'Validation failed; lists all faults' },
  424: {
    name: 'VendorRefused',
    description: "The vendor of the assistant's language model refuses the request, or cannot be asked: see `msg`",
  },
  429: {
    name: 'TooManyRequests',
    description: 'Throttled, by the service or by a vendor, or a limit of the day is reached',
  },
  500: { name: 'Internal', description: 'Error in the service' },
  502: {
    name: 'BadGateway',
    description:
      'A function crashed, was throttled, or returned an unusable response, and a write may have happened; or a vendor did not answer',
  },
  503: { name: 'Unavailable', description: 'A dependency of the service failed' },
  504: { name: 'Timeout', description: 'It took too long. A write may have happened' },
};

/** Address of a deployed service. */
export const servers = [
  {
    url: 'https://{api_id}.execute-api.{region}.amazonaws.com/{stage}',
    description: 'A deployment: the stack prints its address as `Url`',
    variables: {
      api_id: { default: 'a1b2c3d4e5', description: 'The id that API Gateway gave the API' },
      region: { default: 'eu-central-1' },
      stage: { default: 'dev', description: 'The environment' },
    },
  },
];

/** Credentials that callers send. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token of the issuer that the service is configured with. Its `sub` is the user, and a claim may name workspaces.',
  },
  api_key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'va_',
    description:
      'An API key, for workers. It acts as the user or in the workspace that it was created in, within its scopes: each operation lists the scope that it needs. ' +
      'Secret scanners match `va_[a-z0-9-]+_[0-9a-z]{57}`; the last seven characters are the CRC-32 of the preceding ones, in base 36.',
  },
};

/** Conventions of all operations: the introduction of the document. */
export const conventions = `
Manages conversational voice assistants. Users see only their own resources, or those of the workspace that they act in.

**Requests** are JSON in UTF-8. Every path works with and without a trailing slash. Text may contain any Unicode except NUL,
lone surrogates and U+FFFD, the replacement for bytes that are not UTF-8 (call logs and searches accept U+FFFD). Send whole numbers
beyond 2^53 as strings. Bodies may be nested 32 levels deep. Where a body is optional, none means \`{}\`. Unknown query parameters and
top-level keys of a body are ignored and listed in \`x-ignored-fields\`, so that you can spot typos.

**Responses**: success is 200. Ids are lower-case UUIDs (version 7), times are RFC 3339 in UTC with milliseconds. Every response
has an \`x-request-id\`; quote it when you report a problem.

**Errors** all have one shape (\`Error\`): \`type\` is a stable name for programs, \`msg\` is for people, \`loc\` is the location of the
fault. Checks run in this order: path (404), method (405, with \`Allow\`), token (401), media type (415), size (413), validation
(422, lists all faults), the resource (404), conditions (409, 412). Only the 413 above 6 MB has the shape of the AWS platform.

**Retries**: a POST with an \`Idempotency-Key\` can be repeated for 24 hours without doing its work twice.
After a 5xx, or without a response, the request may have succeeded: retry it, a POST with the same key. Responses with an
\`ETag\` can be cached with \`If-None-Match\`; \`If-Match\` makes edits conditional. Without \`If-Match\`, two writers who
change different fields both keep their changes.

**Browsers**: CORS is enabled for the configured origins; all headers named here are exposed.

**Throttling**: by default 100 requests a second, with bursts of 200, for each method of each path. Behind a firewall, also 100 a
second in total. Above that, 429 with \`Retry-After\`.

**Quotas**: an operation that names a quota counts for it, if a limit applies to you or to the API key: per day in UTC, after everything else
was checked. Above the limit, 429 with the type \`quota_exceeded\`, \`Retry-After\`, \`RateLimit-Policy\` and \`RateLimit\`. \`GET /protected\` shows
your limits and what is used.

**Versions**: paths never change; there are only additions. Deprecated parts are marked by \`Deprecation\` and \`Sunset\` six months
ahead.
`;
