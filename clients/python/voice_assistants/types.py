# Written by npm run derive, from docs/openapi.json.
"""Types of what the API takes and returns."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from typing import TypeAlias


class AssistantUpdate(TypedDict, total=False):
    name: str | None
    system_instruction: str | None
    description: str | None
    first_message: str | None
    voice: VoiceUpdate | dict[str, Any]
    llm: LlmUpdate | dict[str, Any]
    transcriber: TranscriberUpdate | dict[str, Any]
    knowledge_base: KnowledgeBaseUpdate | dict[str, Any]
    transport: TransportUpdate | dict[str, Any]
    variables: dict[str, Variable] | None
    timezone: str | None
    tools: list[SearchTool | HttpTool | ClientTool | TransferTool | EndCallTool] | None
    mcp_servers: list[McpServer] | None


class _CallLog(TypedDict):
    assistant_id: str
    room_name: str
    transcript: list[dict[str, Any]]


_CallLogOthers = TypedDict(
    "_CallLogOthers",
    {
        "session_duration": "float | str | None",
        "participant_name": "str | None",
        "started_at": "str | None",
        "ended_at": "str | None",
        "end_reason": "str | None",
        "recording_url": "str | None",
        "metadata": "dict[str, Any] | None",
        "usage": "Any",
        "cost": "float | None",
        "assistant_version": "int | None",
        "direction": "Literal[\"inbound\", \"outbound\", \"web\"] | None",
        "from": "str | None",
        "to": "str | None",
    }, total=False,
)


class CallLog(_CallLog, _CallLogOthers):
    pass


class CallStart(TypedDict, total=False):
    call: CallFacts
    variables: dict[str, str]


class _ChatRequest(TypedDict):
    model: str
    messages: list[ChatRequestMessagesItem | dict[str, Any]]


class ChatRequest(_ChatRequest, total=False):
    stream: bool | None
    stream_options: dict[str, Any] | None
    tools: list[dict[str, Any]] | None
    response_format: dict[str, Any] | None
    n: int | None
    variables: dict[str, str]
    call: CallFacts
    session_id: str | None
    store: bool | None
    execute_tools: bool


class ChatRequestMessagesItem(TypedDict):
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]


class _ImageQuestion(TypedDict):
    assistant_id: str
    image: str
    question: str


class ImageQuestion(_ImageQuestion, total=False):
    variables: dict[str, str]


class JobRequests(TypedDict):
    requests: list[JobRequestsRequestsItem]


class JobRequestsRequestsItem(TypedDict):
    custom_id: str
    body: ChatRequest | dict[str, Any]


class LiveChange(TypedDict, total=False):
    version: int
    versions: list[LiveChangeVersionsItem]


class LiveChangeVersionsItem(TypedDict):
    version: int
    weight: int


class _McpMessage(TypedDict):
    jsonrpc: Literal["2.0"]
    method: str


class McpMessage(_McpMessage, total=False):
    id: str | int
    params: dict[str, Any]


class _NewApiKey(TypedDict):
    name: str
    scopes: list[Literal["read", "write", "logs", "runtime", "chat", "events", "webhooks"]]


class NewApiKey(_NewApiKey, total=False):
    expires_at: str | None
    quota: NewApiKeyQuota | None


class NewApiKeyQuota(TypedDict, total=False):
    completions: int
    search_answers: int
    tool_calls: int
    web_calls: int
    uploads: int


class _NewAssistant(TypedDict):
    name: str
    system_instruction: str


class NewAssistant(_NewAssistant, total=False):
    description: str | None
    first_message: str | None
    voice: NewVoice | dict[str, Any]
    llm: NewLlm | dict[str, Any]
    transcriber: NewTranscriber | dict[str, Any]
    knowledge_base: NewKnowledgeBase | dict[str, Any]
    transport: NewTransport | dict[str, Any]
    variables: dict[str, Variable] | None
    timezone: str
    tools: list[SearchTool | HttpTool | ClientTool | TransferTool | EndCallTool]
    mcp_servers: list[McpServer]


class _NewCredential(TypedDict):
    service_type: str
    api_key: str


class NewCredential(_NewCredential, total=False):
    name: str | None


class _NewDocument(TypedDict):
    file: str


class NewDocument(_NewDocument, total=False):
    name: str | None
    languages: str | None


class _NewPrices(TypedDict):
    entries: dict[str, Price]


class NewPrices(_NewPrices, total=False):
    currency: str


class _NewUpload(TypedDict):
    file_name: str
    content_type: str
    size_bytes: int


class NewUpload(_NewUpload, total=False):
    name: str | None
    languages: list[str] | None


class NewWebCall(TypedDict, total=False):
    participant_name: str | None
    variables: dict[str, str]
    version: str
    ttl_seconds: int


class _NewWebhook(TypedDict):
    url: str
    events: list[Literal["*", "assistant.*", "knowledge_base.*", "call.*", "completion.*", "job.*", "prices.*", "credential.*", "api_key.*", "webhook.*", "search.*", "assistant.created", "assistant.updated", "assistant.deleted", "assistant.published", "assistant.live_changed", "assistant.version_deleted", "knowledge_base.created", "knowledge_base.ready", "knowledge_base.failed", "knowledge_base.deleted", "knowledge_base.attached", "knowledge_base.detached", "call.completed", "call.updated", "call.deleted", "completion.done", "job.created", "job.done", "prices.saved", "credential.saved", "credential.deleted", "credential.leased", "api_key.created", "api_key.rotated", "api_key.revoked", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.secret_rotated", "webhook.disabled", "search.updated"]]


class NewWebhook(_NewWebhook, total=False):
    secret: str | None
    description: str | None
    include: list[Literal["transcript"]]
    headers: dict[str, str]


class _PassageSearch(TypedDict):
    query: str


class PassageSearch(_PassageSearch, total=False):
    limit: int
    assistant_id: str | None
    knowledge_base_ids: list[str] | None
    filters: SearchFilters | None


class Publication(TypedDict, total=False):
    note: str | None
    live: bool


class _Question(TypedDict):
    query: str
    assistant_id: str


class Question(_Question, total=False):
    limit: int
    filters: SearchFilters | None
    stream: bool | None


_Replay = TypedDict(
    "_Replay",
    {
        "from": "str",
    },
)


class Replay(_Replay, total=False):
    to: str | None
    types: list[Literal["*", "assistant.*", "knowledge_base.*", "call.*", "completion.*", "job.*", "prices.*", "credential.*", "api_key.*", "webhook.*", "search.*", "assistant.created", "assistant.updated", "assistant.deleted", "assistant.published", "assistant.live_changed", "assistant.version_deleted", "knowledge_base.created", "knowledge_base.ready", "knowledge_base.failed", "knowledge_base.deleted", "knowledge_base.attached", "knowledge_base.detached", "call.completed", "call.updated", "call.deleted", "completion.done", "job.created", "job.done", "prices.saved", "credential.saved", "credential.deleted", "credential.leased", "api_key.created", "api_key.rotated", "api_key.revoked", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.secret_rotated", "webhook.disabled", "search.updated"]]
    only_failed: bool


class _Rotation(TypedDict):
    id: str


class Rotation(_Rotation, total=False):
    grace_seconds: int


class _Search(TypedDict):
    query: str


class Search(_Search, total=False):
    limit: int


class SecretRotation(TypedDict, total=False):
    secret: str | None
    grace_seconds: int


class ToolCall(TypedDict, total=False):
    arguments: dict[str, Any]
    call_id: str | None
    call: CallFacts
    variables: dict[str, str]


class WebhookUpdate(TypedDict, total=False):
    url: str
    events: list[Literal["*", "assistant.*", "knowledge_base.*", "call.*", "completion.*", "job.*", "prices.*", "credential.*", "api_key.*", "webhook.*", "search.*", "assistant.created", "assistant.updated", "assistant.deleted", "assistant.published", "assistant.live_changed", "assistant.version_deleted", "knowledge_base.created", "knowledge_base.ready", "knowledge_base.failed", "knowledge_base.deleted", "knowledge_base.attached", "knowledge_base.detached", "call.completed", "call.updated", "call.deleted", "completion.done", "job.created", "job.done", "prices.saved", "credential.saved", "credential.deleted", "credential.leased", "api_key.created", "api_key.rotated", "api_key.revoked", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.secret_rotated", "webhook.disabled", "search.updated"]]
    description: str | None
    include: list[Literal["transcript"]]
    headers: dict[str, str]
    enabled: bool


class EmptyBody(TypedDict, total=False):
    pass


class Price(TypedDict, total=False):
    input: float
    cached_input: float
    output: float
    per_million_characters: float
    per_minute: float


CallFacts = TypedDict(
    "CallFacts",
    {
        "room_name": "str | None",
        "participant_name": "str | None",
        "from": "str | None",
        "to": "str | None",
        "direction": "str | None",
    }, total=False,
)


class SearchFilters(TypedDict, total=False):
    content_types: list[str] | None
    file_names: list[str] | None
    created_from: str | None
    created_to: str | None


class Parameters(TypedDict):
    type: Literal["object"]


class _CredentialReference(TypedDict):
    service_type: str


class CredentialReference(_CredentialReference, total=False):
    name: str | None
    header: str
    prefix: str


class _ToolRequest(TypedDict):
    url: str


class ToolRequest(_ToolRequest, total=False):
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    query: dict[str, str]
    headers: dict[str, str]
    timeout_seconds: int
    credential: CredentialReference | None


class ToolSpeech(TypedDict, total=False):
    start: str | None
    failure: str | None


class _SearchTool(TypedDict):
    type: Literal["search"]


class SearchTool(_SearchTool, total=False):
    name: str
    description: str
    limit: int
    enabled: bool
    say: ToolSpeech


class _HttpTool(TypedDict):
    type: Literal["http"]
    name: str
    description: str
    http: ToolRequest


class HttpTool(_HttpTool, total=False):
    parameters: Parameters | dict[str, Any]
    say: ToolSpeech


class _ClientTool(TypedDict):
    type: Literal["client"]
    name: str
    description: str


class ClientTool(_ClientTool, total=False):
    parameters: Parameters | dict[str, Any]
    say: ToolSpeech


class _TransferTool(TypedDict):
    type: Literal["transfer"]
    destinations: list[Destination]


class TransferTool(_TransferTool, total=False):
    name: str
    description: str
    say: ToolSpeech


class Destination(TypedDict):
    to: str
    when: str


class _EndCallTool(TypedDict):
    type: Literal["end_call"]


class EndCallTool(_EndCallTool, total=False):
    name: str
    description: str
    say: ToolSpeech


class _McpServer(TypedDict):
    name: str
    url: str


class McpServer(_McpServer, total=False):
    transport: Literal["streamable_http", "sse"]
    allowed_tools: list[str] | None
    credential: CredentialReference | None


class Variable(TypedDict, total=False):
    default: str | None
    description: str | None
    required: bool


class NewVoice(TypedDict, total=False):
    voice_id: str | None
    tts_provider: str
    tts_model: str
    language: str


class NewLlm(TypedDict, total=False):
    llm_provider: str
    model: str


class NewTranscriber(TypedDict, total=False):
    stt_provider: str
    stt_model: str
    language: str


class NewKnowledgeBase(TypedDict, total=False):
    vectorstore_index: str | None
    vectorstore_namespace: str | None


class NewTransport(TypedDict, total=False):
    sip_config: dict[str, Any]


class VoiceUpdate(TypedDict, total=False):
    voice_id: str | None
    tts_provider: str | None
    tts_model: str | None
    language: str | None


class LlmUpdate(TypedDict, total=False):
    llm_provider: str | None
    model: str | None


class TranscriberUpdate(TypedDict, total=False):
    stt_provider: str | None
    stt_model: str | None
    language: str | None


class KnowledgeBaseUpdate(TypedDict, total=False):
    vectorstore_index: str | None
    vectorstore_namespace: str | None


class TransportUpdate(TypedDict, total=False):
    sip_config: dict[str, Any] | None


class Assistant(TypedDict):
    id: str
    user_id: str | None
    name: str
    system_instruction: str
    description: str | None
    first_message: str | None
    voice: Voice | dict[str, Any]
    llm: Llm | dict[str, Any]
    transcriber: Transcriber | dict[str, Any]
    knowledge_base: KnowledgeBase | dict[str, Any]
    transport: Transport | dict[str, Any]
    variables: dict[str, Variable] | None
    timezone: str
    tools: list[SearchTool | HttpTool | ClientTool | TransferTool | EndCallTool]
    mcp_servers: list[McpServer]
    attached_knowledge_bases: list[AttachedKnowledgeBase]
    live: Live | None
    has_unpublished_changes: bool
    created_at: str | None
    updated_at: str | None


class Voice(TypedDict):
    voice_id: str | None
    tts_provider: str
    tts_model: str
    language: str


class Llm(TypedDict):
    llm_provider: str
    model: str


class Transcriber(TypedDict):
    stt_provider: str
    stt_model: str
    language: str


class KnowledgeBase(TypedDict):
    vectorstore_index: str | None
    vectorstore_namespace: str | None


class Transport(TypedDict):
    sip_config: dict[str, Any]


class AttachedKnowledgeBase(TypedDict):
    id: str
    name: str
    file_name: str
    content_type: str
    size_bytes: float
    status: Literal["processing", "ready", "failed"]
    attached_at: str


class LanguageConfig(TypedDict):
    voice: LanguageConfigVoice
    transcriber: LanguageConfigTranscriber
    is_consistent: bool


class LanguageConfigVoice(TypedDict):
    language: str
    tts_provider: str
    tts_model: str
    voice_id: str | None


class LanguageConfigTranscriber(TypedDict):
    language: str
    stt_provider: str
    stt_model: str


class Credential(TypedDict):
    id: str
    service_type: str
    name: str
    masked_key: str
    created_at: str
    updated_at: str


class ApiKey(TypedDict):
    id: str
    name: str
    scopes: list[Literal["read", "write", "logs", "runtime", "chat", "events", "webhooks"]]
    masked_key: str
    expires_at: str | None
    last_used_at: str | None
    replaced_by: str | None
    quota: KeyQuota | None
    created_at: str


class IssuedApiKey(TypedDict):
    status: Literal["success"]
    message: str
    data: IssuedApiKeyData


class IssuedApiKeyData(TypedDict):
    id: str
    name: str
    scopes: list[Literal["read", "write", "logs", "runtime", "chat", "events", "webhooks"]]
    masked_key: str
    expires_at: str | None
    last_used_at: str | None
    replaced_by: str | None
    quota: KeyQuota | None
    created_at: str
    secret: str | None


class KeyQuota(TypedDict, total=False):
    completions: int
    search_answers: int
    tool_calls: int
    web_calls: int
    uploads: int


class RuntimeConfig(TypedDict):
    assistant: Assistant
    version: float | None
    credentials: RuntimeConfigCredentials
    reasons: RuntimeConfigReasons
    rendered: RenderedTexts | None
    tools: list[CallTool]
    functions: list[ModelFunction]
    mcp_servers: list[LeasedMcpServer]
    expires_at: str


class RuntimeConfigCredentials(TypedDict):
    voice: LeasedCredential | None
    llm: LeasedCredential | None
    transcriber: LeasedCredential | None


class RuntimeConfigReasons(TypedDict):
    voice: Reason | None
    llm: Reason | None
    transcriber: Reason | None


class OneRuntimeConfig(TypedDict):
    status: Literal["success"]
    message: str
    data: RuntimeConfig


class LeasedCredential(TypedDict):
    service_type: str
    name: str
    api_key: str


class RenderedTexts(TypedDict):
    system_instruction: str
    first_message: str | None
    missing: list[str]


class CallTool(TypedDict):
    type: str
    name: str
    description: str
    parameters: dict[str, Any]
    say: ToolSpeech
    limit: float | None
    http: LeasedRequest | None
    unavailable: Reason | None


class LeasedRequest(TypedDict):
    method: str
    url: str
    query: dict[str, str]
    headers: dict[str, str]
    timeout_seconds: float


class ModelFunction(TypedDict):
    type: Literal["function"]
    name: str
    description: str
    parameters: dict[str, Any]


class LeasedMcpServer(TypedDict):
    name: str
    url: str
    transport: str
    allowed_tools: list[str] | None
    headers: dict[str, str]
    unavailable: Reason | None


class ToolAnswer(TypedDict):
    status: float | None
    result: Any
    error: str | None
    truncated: bool
    duration_ms: float


class Reason(TypedDict):
    type: str
    msg: str


class KnowledgeBaseRecord(TypedDict):
    id: str
    name: str
    file_name: str
    content_type: str
    size_bytes: int
    sha256: str | None
    status: Literal["processing", "ready", "failed"]
    status_reason: Reason | None
    char_count: int | None
    chunk_count: int | None
    warnings: list[Reason]
    vectorstore_index: Literal["builtin"]
    vectorstore_namespace: str
    attached_assistant_ids: list[str]
    created_at: str
    updated_at: str


class ShownKnowledgeBase(TypedDict):
    status: Literal["success"]
    message: str
    data: KnowledgeBaseRecord


class UploadForm(TypedDict):
    url: str
    fields: dict[str, str]
    expires_at: str


class FoundPassage(TypedDict):
    knowledge_base_id: str
    file_name: str
    page: int | None
    text: str
    score: float


class Citation(TypedDict):
    number: float
    passage: FoundPassage


class CitedAnswer(TypedDict):
    answer: str | None
    citations: list[Citation]
    passages: list[FoundPassage]
    searched: float
    usage: dict[str, Any] | None


class ChatCompletion(TypedDict):
    id: str
    object: Literal["chat.completion"]
    created: float
    model: str
    choices: list[dict[str, Any]]
    voice_assistants: ChatFacts


class ChatFacts(TypedDict):
    assistant_id: str
    version: float | None
    session_id: str | None
    tool_results: list[ToolResult]
    passages: list[FoundPassage]


class ToolResult(TypedDict):
    call_id: str
    name: str
    arguments: Any
    output: Any
    is_error: bool
    duration_ms: float


class Job(TypedDict):
    job_id: str
    status: Literal["queued", "running", "done", "expired"]
    total: float
    succeeded: float
    failed: float
    created_at: str
    ended_at: str | None
    answers: JobAnswers | None


class JobAnswers(TypedDict):
    url: str
    expires_at: str


class OneJob(TypedDict):
    status: Literal["success"]
    message: str
    data: Job


class WebCall(TypedDict):
    url: str
    room_name: str
    token: str
    agent_name: str
    expires_at: str


class _McpAnswer(TypedDict):
    jsonrpc: Literal["2.0"]


class McpAnswer(_McpAnswer, total=False):
    id: str | float | None
    result: dict[str, Any]
    error: McpAnswerError | dict[str, Any]


class McpAnswerError(TypedDict):
    code: float
    message: str


class Session(TypedDict):
    session_id: str
    assistant_id: str
    assistant_name: str | None
    room_name: str
    participant_name: str | None
    channel: Literal["voice", "text"]
    message_count: float
    session_duration: float | None
    preview: str | None
    started_at: str | None
    ended_at: str | None
    end_reason: str | None
    assistant_version: float | None
    latency_ms: float | None
    cost: float | None
    created_at: str


class Log(TypedDict):
    id: str
    index: int
    type: Literal["message", "function_call", "function_call_output", "event"]
    role: Literal["system", "user", "assistant", "tool", "other"]
    content: str | None
    timestamp: str | None
    offset_seconds: float | None
    interrupted: bool | None
    name: str | None
    call_id: str | None
    arguments: Any
    output: Any
    is_error: bool | None
    raw: dict[str, Any]


class Event(TypedDict):
    id: str
    type: Literal["assistant.created", "assistant.updated", "assistant.deleted", "assistant.published", "assistant.live_changed", "assistant.version_deleted", "knowledge_base.created", "knowledge_base.ready", "knowledge_base.failed", "knowledge_base.deleted", "knowledge_base.attached", "knowledge_base.detached", "call.completed", "call.updated", "call.deleted", "completion.done", "job.created", "job.done", "prices.saved", "credential.saved", "credential.deleted", "credential.leased", "api_key.created", "api_key.rotated", "api_key.revoked", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.secret_rotated", "webhook.disabled", "webhook.test", "webhook.retry_requested", "webhook.replay_requested"]
    subject: EventSubject
    data: dict[str, Any]
    actor: EventActor
    user_id: str | None
    request_id: str
    created_at: str


class EventSubject(TypedDict):
    type: str
    id: str


class EventActor(TypedDict):
    kind: Literal["user", "api_key", "client", "service"]
    id: str


class EventPage(TypedDict):
    status: Literal["success"]
    message: str
    data: EventPageData


class EventPageData(TypedDict):
    events: list[Event]
    next_cursor: str | None


class Webhook(TypedDict):
    id: str
    url: str
    description: str | None
    events: list[str]
    include: list[str]
    headers: list[str]
    enabled: bool
    disabled_reason: str | None
    masked_secret: str
    secret_encoding: Literal["base64", "utf8"]
    health: WebhookHealth
    created_at: str
    updated_at: str


class WebhookHealth(TypedDict):
    status: Literal["healthy", "failing", "resting", "disabled"]
    failing_since: str | None
    consecutive_failures: float
    next_probe_at: str | None
    last_failure: WebhookFailure | None


class WebhookFailure(TypedDict):
    at: str
    status: float | None
    error: str | None


class OneWebhook(TypedDict):
    status: Literal["success"]
    message: str
    data: Webhook


class WebhookWithSecret(TypedDict):
    status: Literal["success"]
    message: str
    data: WebhookWithSecretData


class WebhookWithSecretData(TypedDict):
    id: str
    url: str
    description: str | None
    events: list[str]
    include: list[str]
    headers: list[str]
    enabled: bool
    disabled_reason: str | None
    masked_secret: str
    secret_encoding: Literal["base64", "utf8"]
    health: WebhookHealth
    created_at: str
    updated_at: str
    secret: str | None


class Delivery(TypedDict):
    event_id: str
    type: str
    status: Literal["pending", "delivered", "failed"]
    reason: str | None
    attempts: float
    next_attempt_at: str | None
    history: list[DeliveryHistoryItem]
    delivered_at: str | None
    created_at: str
    payload: dict[str, Any] | None


class DeliveryHistoryItem(TypedDict):
    at: str
    duration_ms: float
    status: float | None
    error: str | None
    answer: str | None


class Requested(TypedDict):
    status: Literal["success"]
    message: str
    data: RequestedData


class RequestedData(TypedDict):
    event_id: str


class Live(TypedDict):
    versions: list[LiveVersionsItem]
    since: str
    changed_by: str


class LiveVersionsItem(TypedDict):
    version: float
    weight: float


class OneLive(TypedDict):
    status: Literal["success"]
    message: str
    data: OneLiveData


class OneLiveData(TypedDict):
    live: Live | None


class Version(TypedDict):
    version: float
    note: str | None
    weight: float
    attached_knowledge_base_ids: list[str]
    published_by: str
    created_at: str


class OneVersion(TypedDict):
    status: Literal["success"]
    message: str
    data: Version


class VersionContent(TypedDict):
    version: float | None
    note: str | None
    weight: float
    attached_knowledge_base_ids: list[str]
    published_by: str | None
    created_at: str
    assistant: VersionContentAssistant


class VersionContentAssistant(TypedDict):
    name: str
    system_instruction: str
    description: str | None
    first_message: str | None
    voice: Voice | dict[str, Any]
    llm: Llm | dict[str, Any]
    transcriber: Transcriber | dict[str, Any]
    knowledge_base: KnowledgeBase | dict[str, Any]
    transport: Transport | dict[str, Any]
    variables: dict[str, Variable] | None
    timezone: str
    tools: list[SearchTool | HttpTool | ClientTool | TransferTool | EndCallTool]
    mcp_servers: list[McpServer]


class Change(TypedDict):
    path: list[str]
    before: Any
    after: Any


class Prices(TypedDict):
    currency: str
    entries: dict[str, Price]
    updated_at: str | None


class SavedPrices(TypedDict):
    status: Literal["success"]
    message: str
    data: Prices


class Percentiles(TypedDict):
    turns: float
    p50: float
    p90: float
    p95: float
    p99: float


class Latency(TypedDict):
    method: Literal["histogram"]
    e2e: Percentiles | None
    ttft: Percentiles | None


class Tokens(TypedDict):
    input: float
    cached_input: float
    output: float


Stats = TypedDict(
    "Stats",
    {
        "from": "str",
        "to": "str",
        "timezone": "Literal[\"UTC\"]",
        "currency": "str",
        "calls": "float",
        "minutes": "float",
        "average_seconds": "float | None",
        "messages": "float",
        "user_messages": "float",
        "interruptions": "float",
        "tool_calls": "float",
        "tool_errors": "float",
        "latency": "Latency",
        "tokens": "Tokens",
        "characters": "float",
        "transcribed_minutes": "float",
        "cost": "float | None",
        "ended": "dict[str, float]",
        "models": "list[StatsModelsItem]",
    },
)


class StatsModelsItem(TypedDict):
    kind: Literal["llm", "tts", "stt"]
    provider: str
    model: str
    input_tokens: float
    cached_input_tokens: float
    output_tokens: float
    characters: float
    minutes: float
    cost: float | None


Analytics = TypedDict(
    "Analytics",
    {
        "from": "str",
        "to": "str",
        "timezone": "Literal[\"UTC\"]",
        "currency": "str",
        "series": "list[AnalyticsSeriesItem]",
    },
)


class AnalyticsSeriesItem(TypedDict):
    key: str | None
    name: str | None
    interval: str
    calls: float
    minutes: float
    average_seconds: float | None
    messages: float
    user_messages: float
    interruptions: float
    tool_calls: float
    tool_errors: float
    latency: Latency
    tokens: Tokens
    characters: float
    transcribed_minutes: float
    cost: float | None


class Deleted(TypedDict):
    status: Literal["success"]
    message: str
    data: DeletedData


class DeletedData(TypedDict):
    id: str


class _Error(TypedDict):
    detail: list[ErrorDetailItem]


class Error(_Error, total=False):
    error: ErrorError


class ErrorDetailItem(TypedDict):
    loc: list[str]
    msg: str
    type: str


class ErrorError(TypedDict):
    message: str
    type: str
    code: str | None
    param: str | None


class AnalyticsUsageResult(TypedDict):
    status: Literal["success"]
    message: str
    data: Analytics


class ApiKeysListResult(TypedDict):
    status: Literal["success"]
    message: str
    data: ApiKeysListResultData


class ApiKeysListResultData(TypedDict):
    api_keys: list[ApiKey]


class AssistantsCallToolResult(TypedDict):
    status: Literal["success"]
    message: str
    data: ToolAnswer


class AssistantsLanguageConfigResult(TypedDict):
    status: Literal["success"]
    message: str
    assistant_id: str
    language_config: LanguageConfig


class ChatsListResult(TypedDict):
    status: Literal["success"]
    message: str
    data: ChatsListResultData


class ChatsListResultData(TypedDict):
    chats: list[Session]
    total: float
    limit: float
    skip: float
    has_more: bool


class CompletionsModelsResult(TypedDict):
    object: Literal["list"]
    data: list[CompletionsModelsResultDataItem]


class CompletionsModelsResultDataItem(TypedDict):
    id: str
    object: Literal["model"]
    created: float
    owned_by: str
    name: str


class CredentialsUpsertResult(TypedDict):
    status: Literal["success"]
    message: str
    data: Credential


class KnowledgeBasesAttachResult(TypedDict):
    status: Literal["success"]
    message: str
    data: KnowledgeBasesAttachResultData


class KnowledgeBasesAttachResultData(TypedDict):
    assistant_id: str
    knowledge_base_id: str
    attached_at: str


class KnowledgeBasesCreateUploadResult(TypedDict):
    status: Literal["success"]
    message: str
    data: KnowledgeBasesCreateUploadResultData


class KnowledgeBasesCreateUploadResultData(TypedDict):
    knowledge_base: KnowledgeBaseRecord
    upload: UploadForm


class KnowledgeBasesDetachResult(TypedDict):
    status: Literal["success"]
    message: str
    data: KnowledgeBasesDetachResultData


class KnowledgeBasesDetachResultData(TypedDict):
    assistant_id: str
    knowledge_base_id: str


class KnowledgeBasesListResult(TypedDict):
    status: Literal["success"]
    message: str
    data: KnowledgeBasesListResultData


class KnowledgeBasesListResultData(TypedDict):
    knowledge_bases: list[KnowledgeBaseRecord]
    next_cursor: str | None


class KnowledgeBasesSearchResult(TypedDict):
    status: Literal["success"]
    message: str
    data: KnowledgeBasesSearchResultData


class KnowledgeBasesSearchResultData(TypedDict):
    passages: list[FoundPassage]


class LogsCreateResult(TypedDict):
    status: Literal["success"]
    message: str
    data: LogsCreateResultData


class LogsCreateResultData(TypedDict):
    id: str
    session_id: str
    assistant_id: str
    assistant_name: str | None
    room_name: str
    participant_name: str | None
    channel: Literal["voice", "text"]
    message_count: float
    session_duration: float | None
    preview: str | None
    started_at: str | None
    ended_at: str | None
    end_reason: str | None
    assistant_version: float | None
    latency_ms: float | None
    cost: float | None
    created_at: str


class LogsGetResult(TypedDict):
    status: Literal["success"]
    message: str
    data: LogsGetResultData


class LogsGetResultData(TypedDict):
    session: LogsGetResultDataSession
    logs: list[Log]
    next_cursor: str | None


LogsGetResultDataSession = TypedDict(
    "LogsGetResultDataSession",
    {
        "session_id": "str",
        "assistant_id": "str",
        "assistant_name": "str | None",
        "room_name": "str",
        "participant_name": "str | None",
        "channel": "Literal[\"voice\", \"text\"]",
        "message_count": "float",
        "session_duration": "float | None",
        "preview": "str | None",
        "started_at": "str | None",
        "ended_at": "str | None",
        "end_reason": "str | None",
        "assistant_version": "float | None",
        "latency_ms": "float | None",
        "cost": "float | None",
        "created_at": "str",
        "recording_url": "str | None",
        "metadata": "dict[str, Any] | None",
        "direction": "Literal[\"inbound\", \"outbound\", \"web\"] | None",
        "from": "str | None",
        "to": "str | None",
        "usage": "Any",
        "extra": "dict[str, Any]",
    },
)


class LogsListResult(TypedDict):
    status: Literal["success"]
    message: str
    data: LogsListResultData


class LogsListResultData(TypedDict):
    sessions: list[LogsListResultDataSessionsItem]
    next_cursor: str | None


LogsListResultDataSessionsItem = TypedDict(
    "LogsListResultDataSessionsItem",
    {
        "session_id": "str",
        "assistant_id": "str",
        "assistant_name": "str | None",
        "room_name": "str",
        "participant_name": "str | None",
        "channel": "Literal[\"voice\", \"text\"]",
        "message_count": "float",
        "session_duration": "float | None",
        "preview": "str | None",
        "started_at": "str | None",
        "ended_at": "str | None",
        "end_reason": "str | None",
        "assistant_version": "float | None",
        "latency_ms": "float | None",
        "cost": "float | None",
        "created_at": "str",
        "recording_url": "str | None",
        "metadata": "dict[str, Any] | None",
        "direction": "Literal[\"inbound\", \"outbound\", \"web\"] | None",
        "from": "str | None",
        "to": "str | None",
        "usage": "Any",
        "extra": "dict[str, Any]",
        "logs": "list[Log]",
        "next_cursor": "str | None",
    },
)


class LogsSessionsResult(TypedDict):
    status: Literal["success"]
    message: str
    data: LogsSessionsResultData


class LogsSessionsResultData(TypedDict):
    sessions: list[Session]
    next_cursor: str | None


class ProtectedCheckResult(TypedDict):
    status: Literal["success"]
    message: str
    data: ProtectedCheckResultData


class ProtectedCheckResultData(TypedDict):
    user_id: str
    token_type: Literal["jwt", "api_key"]
    expires_at: str | None
    scopes: list[str]
    workspace: str | None
    role: str | None
    workspaces: list[str]
    tier: str | None
    quotas: list[ProtectedCheckResultDataQuotasItem]


class ProtectedCheckResultDataQuotasItem(TypedDict):
    name: Literal["completions", "search_answers", "tool_calls", "web_calls", "uploads"]
    set_by: Literal["tier", "api_key"]
    limit: float
    used: float
    resets_at: str


class SearchAnswerResult(TypedDict):
    status: Literal["success"]
    message: str
    data: CitedAnswer


class SearchPassagesResult(TypedDict):
    status: Literal["success"]
    message: str
    data: SearchPassagesResultData


class SearchPassagesResultData(TypedDict):
    passages: list[FoundPassage]
    searched: float


class UsageStatsResult(TypedDict):
    status: Literal["success"]
    message: str
    data: Stats


class VersionsDeleteResult(TypedDict):
    status: Literal["success"]
    message: str
    data: VersionsDeleteResultData


class VersionsDeleteResultData(TypedDict):
    assistant_id: str
    version: float


class VersionsDiffResult(TypedDict):
    status: Literal["success"]
    message: str
    data: VersionsDiffResultData


class VersionsDiffResultData(TypedDict):
    version: float | None
    against: float | None
    changes: list[Change]


class VersionsGetResult(TypedDict):
    status: Literal["success"]
    message: str
    data: VersionContent


class VersionsListResult(TypedDict):
    status: Literal["success"]
    message: str
    data: VersionsListResultData


class VersionsListResultData(TypedDict):
    versions: list[Version]
    live: Live | None
    next_cursor: str | None


class VisionAnalyzeResult(TypedDict):
    status: Literal["success"]
    message: str
    data: VisionAnalyzeResultData


class VisionAnalyzeResultData(TypedDict):
    answer: str | None
    assistant_id: str
    version: float | None
    usage: dict[str, Any] | None


class WebCallsCreateResult(TypedDict):
    status: Literal["success"]
    message: str
    data: WebCall


class WebhooksDeliveriesResult(TypedDict):
    status: Literal["success"]
    message: str
    data: WebhooksDeliveriesResultData


class WebhooksDeliveriesResultData(TypedDict):
    deliveries: list[Delivery]
    next_cursor: str | None


class WebhooksListResult(TypedDict):
    status: Literal["success"]
    message: str
    data: WebhooksListResultData


class WebhooksListResultData(TypedDict):
    webhooks: list[Webhook]
