# Written by npm run derive, from docs/openapi.json.
"""Operations of the API, by group."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

from . import types
from ._group import Connection, Group, build_form, segment
from ._http import Answer


class Analytics(Group):
    """Operations of `analytics`."""

    def usage(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        assistant_id: str | None = None,
        group_by: str | None = None,
        interval: str | None = None,
    ) -> Answer[types.AnalyticsUsageResult]:
        r"""Compare usage by day, assistant, version, model or end reason (`analytics/usage`).

        At most 366 days, or 92 by assistant or version, and with `assistant_id`. `interval` is the first day of a
        day, week (Monday) or month. By model or end reason, only the numbers that models or calls have are filled.
        At most 5,000 entries. `from` and `to` are days in UTC, both included; without them, the last 30 days.
        Percentiles of latency are estimated from a histogram. Usage is counted in the transaction that saves a
        call, and stays when calls are deleted or expire.
        """
        return self._call(
            "GET",
            "/analytics/usage",
            query={"from": from_, "to": to, "assistant_id": assistant_id, "group_by": group_by, "interval": interval},
        )


class ApiKeys(Group):
    """Operations of `api-keys`."""

    def create(
        self,
        body: types.NewApiKey,
        *,
        idempotency_key: str | None = None,
    ) -> Answer[types.IssuedApiKey]:
        r"""Create an API key for a worker (`api-keys/create`).

        The key acts as you, within its scopes. `secret` is returned only once, and stored as a hash; it is null in
        a response that is repeated for an `Idempotency-Key`. A user has at most 100 active keys. `quota` limits
        what the key may spend in a day (UTC), besides the limits of your tier.
        """
        return self._call(
            "POST",
            "/api-keys",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            body=body,
        )

    def delete(
        self,
        api_key_id: str,
    ) -> Answer[types.Deleted]:
        r"""Revoke an API key (`api-keys/delete`).

        Takes effect within 60 seconds, because functions cache keys for that long.
        """
        return self._call(
            "DELETE",
            f"/api-keys/{segment(api_key_id)}",
        )

    def list(
        self,
    ) -> Answer[types.ApiKeysListResult]:
        r"""List your API keys, newest first (`api-keys/list`).

        Does not return their secrets. `last_used_at` is exact to the hour. Expired keys stay listed for a month.
        """
        return self._call(
            "GET",
            "/api-keys",
        )

    def rotate(
        self,
        body: types.Rotation,
        *,
        idempotency_key: str | None = None,
    ) -> Answer[types.IssuedApiKey]:
        r"""Replace an API key by a new one (`api-keys/rotate`).

        The new key has the name, the scopes, the quota and the lifetime of the old one. The old one stays valid for
        `grace_seconds`, and up to a minute longer while functions cache it. `secret` is returned only once.
        """
        return self._call(
            "POST",
            "/api-keys/rotate",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            body=body,
        )


class Assistants(Group):
    """Operations of `assistants`."""

    def call_tool(
        self,
        assistant_id: str,
        tool_name: str,
        body: types.ToolCall | None = None,
        *,
        version: str | None = None,
    ) -> Answer[types.AssistantsCallToolResult]:
        r"""Run an `http` tool of an assistant (`assistants/call-tool`).

        The service sends the request, so that the worker never has the key. What the API answers is a result,
        whatever its status. If no answer comes, `status` is null and `error` says why. Nothing is tried again. The
        API gets `call_id` as `idempotency-key`. Counts for the quota `tool_calls`.
        """
        return self._call(
            "POST",
            f"/assistants/{segment(assistant_id)}/tools/{segment(tool_name)}/call",
            query={"version": version},
            body=body or {},
            is_safe=False,
        )

    def create(
        self,
        body: types.NewAssistant,
        *,
        idempotency_key: str | None = None,
    ) -> Answer[types.Assistant]:
        r"""Create an assistant (`assistants/create`).

        Keys of `voice`, `llm`, `transcriber`, `knowledge_base` and `transport` that this document does not name are
        stored and returned as sent. Other unknown keys are ignored and listed in `x-ignored-fields`. Settings and
        vendors that look mistyped are listed in `x-did-you-mean`.
        """
        return self._call(
            "POST",
            "/assistants",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            body=body,
        )

    def delete(
        self,
        assistant_id: str,
        *,
        if_match: str | None = None,
    ) -> Answer[types.Deleted]:
        r"""Delete an assistant (`assistants/delete`).

        Its versions are deleted, too. Its knowledge bases and its logs stay.
        """
        return self._call(
            "DELETE",
            f"/assistants/{segment(assistant_id)}",
            headers={"If-Match": if_match},
        )

    def get(
        self,
        assistant_id: str,
    ) -> Answer[types.Assistant]:
        r"""Read one of your assistants (`assistants/get`).
        """
        return self._call(
            "GET",
            f"/assistants/{segment(assistant_id)}",
        )

    def language_config(
        self,
        assistant_id: str,
    ) -> Answer[types.AssistantsLanguageConfigResult]:
        r"""Read the languages that an assistant speaks and understands (`assistants/language-config`).

        `is_consistent` is true if both are the same language, or one of them is `multi` or `auto`.
        """
        return self._call(
            "GET",
            f"/assistants/{segment(assistant_id)}/language-config",
        )

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        name: str | None = None,
    ) -> Answer[list[types.Assistant]]:
        r"""List your assistants, newest first (`assistants/list`).

        Returns all that fit into one response (5 MB). If there are more, or more than `limit`, the `Link` header
        points to the next page.
        """
        return self._call(
            "GET",
            "/assistants",
            query={"limit": limit, "cursor": cursor, "name": name},
        )

    def iterate(
        self,
        *,
        limit: int | None = None,
        name: str | None = None,
    ) -> Iterator[types.Assistant]:
        """Yields all items of `list`, page by page."""
        cursor: str | None = None
        while True:
            page = self.list(limit=limit, name=name, cursor=cursor)
            yield from page.body
            cursor = page.next_cursor
            if cursor is None:
                return

    def runtime_config(
        self,
        assistant_id: str,
        *,
        tools: str | None = None,
        version: str | None = None,
        call: str | None = None,
    ) -> Answer[types.OneRuntimeConfig]:
        r"""Read all that a worker needs to take a call, including its vendors' keys (`assistants/runtime-config`).

        For workers, with an API key that has the scope `runtime`. Returns for each vendor the credential that the
        sub-object names in `credential`, else the one called `default`, else the service's only one; or null with
        the reason. Use it until `expires_at`, then request it again with `If-None-Match`: 304 extends it by 15
        minutes. `call` is the room of the call, which chooses among the live versions; `version` asks for another
        one. `rendered` has the texts with the defaults of the variables; it is null if they cannot be rendered.
        """
        return self._call(
            "GET",
            f"/assistants/{segment(assistant_id)}/runtime-config",
            query={"tools": tools, "version": version, "call": call},
        )

    def start_call(
        self,
        assistant_id: str,
        body: types.CallStart | None = None,
        *,
        tools: str | None = None,
        version: str | None = None,
    ) -> Answer[types.OneRuntimeConfig]:
        r"""Read all that a worker needs for one call, with its texts rendered for it (`assistants/start-call`).

        Like the GET, with the values of this call in `variables` and `call`. Answers 422 with all required
        variables that are missing, and if the texts cannot be rendered.
        """
        return self._call(
            "POST",
            f"/assistants/{segment(assistant_id)}/runtime-config",
            query={"tools": tools, "version": version},
            body=body or {},
            is_safe=False,
        )

    def update(
        self,
        assistant_id: str,
        body: types.AssistantUpdate,
        *,
        if_match: str | None = None,
    ) -> Answer[types.Assistant]:
        r"""Change some fields of an assistant (`assistants/update`).

        Absent fields stay as they are. `null` clears `description` and `first_message`, and sets a key of a
        sub-object back to its default. `sip_config` is replaced whole. With `If-Match`, only the revision that you
        read is changed.
        """
        return self._call(
            "PUT",
            f"/assistants/{segment(assistant_id)}",
            headers={"If-Match": if_match},
            body=body,
        )


class Chats(Group):
    """Operations of `chats`."""

    def list(
        self,
        *,
        limit: int | None = None,
        skip: int | None = None,
    ) -> Answer[types.ChatsListResult]:
        r"""List your chats by limit and skip, newest first (`chats/list`).

        Lists the same as `/logs/chat-sessions`. For many sessions, use its cursor: `skip` reads all skipped items.
        `limit` defaults to 50.
        """
        return self._call(
            "GET",
            "/chat",
            query={"limit": limit, "skip": skip},
        )


class Completions(Group):
    """Operations of `completions`."""

    def create(
        self,
        body: types.ChatRequest | dict[str, Any],
    ) -> Answer[types.ChatCompletion | dict[str, Any]]:
        r"""Talk to an assistant in text, with any client of OpenAI (`completions/create`).

        OpenAI's Chat Completions, with an assistant in the place of the model: its prompt, knowledge and tools, by
        its own vendor and your own key. `model` is its id, with `@draft` or a version such as `@7` after it for
        another than the live one. What is not named here reaches the vendor as it is. With `stream`, the answer
        comes in pieces as server-sent events, with a last `voice_assistants` in the piece that ends it. Errors also
        have the `error` of OpenAI. Counts for the quota `completions`.
        """
        return self._call(
            "POST",
            "/chat/completions",
            body=body,
            is_safe=False,
        )

    def stream(self, body: types.ChatRequest | dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yields the pieces of `create`, as they come. Raises ApiError if they end early."""
        return self._stream("/chat/completions", body, ends_with_done=True)

    def models(
        self,
    ) -> Answer[types.CompletionsModelsResult]:
        r"""List your assistants as models, for clients of OpenAI (`completions/models`).

        Your 100 newest assistants, newest first. `id` is the `model` of a chat; `name` is that of the assistant.
        """
        return self._call(
            "GET",
            "/models",
        )


class Credentials(Group):
    """Operations of `credentials`."""

    def delete(
        self,
        service_type: str,
        *,
        name: str | None = None,
    ) -> Answer[types.Deleted]:
        r"""Delete the key of a third-party service (`credentials/delete`).

        Without `name`, deletes the service's only one. If there are several, 409 lists them.
        """
        return self._call(
            "DELETE",
            f"/user-credentials/{segment(service_type)}",
            query={"name": name},
        )

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[types.Credential]]:
        r"""List your credentials, by service and name (`credentials/list`).

        Keys are masked: only their last four characters are returned, or none if a key has eight or fewer.
        """
        return self._call(
            "GET",
            "/user-credentials",
            query={"limit": limit, "cursor": cursor},
        )

    def iterate(
        self,
        *,
        limit: int | None = None,
    ) -> Iterator[types.Credential]:
        """Yields all items of `list`, page by page."""
        cursor: str | None = None
        while True:
            page = self.list(limit=limit, cursor=cursor)
            yield from page.body
            cursor = page.next_cursor
            if cursor is None:
                return

    def upsert(
        self,
        body: types.NewCredential,
        *,
        idempotency_key: str | None = None,
    ) -> Answer[types.CredentialsUpsertResult]:
        r"""Save the key of a third-party service (`credentials/upsert`).

        Creates or replaces the credential of that service and name. Without `name`, replaces the service's only
        one, else the one called `default`. The key is encrypted before it is stored, and no response of this
        resource contains it.
        """
        return self._call(
            "POST",
            "/user-credentials",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            body=body,
        )


class Events(Group):
    """Operations of `events`."""

    def list(
        self,
        *,
        type: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        after: str | None = None,
        settled: bool | None = None,
    ) -> Answer[types.EventPage]:
        r"""List the events after one that you know, oldest first (`events/list`).

        For programs that catch up: store the id of the last event, and send it as `after`. Leaves out events of the
        last 20 seconds, since an earlier one may still be on its way; `settled=false` returns them too.
        """
        return self._call(
            "GET",
            "/events",
            query={"type": type, "limit": limit, "cursor": cursor, "after": after, "settled": settled},
        )

    def iterate(
        self,
        *,
        type: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        settled: bool | None = None,
    ) -> Iterator[types.Event]:
        """Yields all items of `list`, page by page."""
        cursor: str | None = None
        while True:
            page = self.list(type=type, limit=limit, after=after, settled=settled, cursor=cursor)
            yield from page.body["data"]["events"]
            cursor = page.body["data"]["next_cursor"]
            if cursor is None:
                return


class Jobs(Group):
    """Operations of `jobs`."""

    def create(
        self,
        body: types.JobRequests,
        *,
        idempotency_key: str | None = None,
    ) -> Answer[types.OneJob]:
        r"""Ask assistants many questions at once (`jobs/create`).

        Each request has the body of `POST /chat/completions`, where `stream`, `store` and `session_id` mean
        nothing. They are answered ten at a time, within 20 hours. `GET /batch/status/{job_id}` says how far they
        are, and has the address of the answers. The event `job.done` says that all are answered. Each request
        counts by itself; a job that exceeds a limit is refused as a whole. Counts for the quota `completions`.
        """
        return self._call(
            "POST",
            "/batch/chat/completions",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            body=body,
        )

    def get(
        self,
        job_id: str,
    ) -> Answer[types.OneJob]:
        r"""See how far a job is, and get its answers (`jobs/get`).

        When the job is done, `answers.url` is the address of a file, from which anybody can get it for 15 minutes.
        Each line is one answer: `custom_id`, and in `response` the status and body that `POST /chat/completions`
        gives. A job and its answers are kept for 30 days.
        """
        return self._call(
            "GET",
            f"/batch/status/{segment(job_id)}",
        )


class KnowledgeBases(Group):
    """Operations of `knowledge-bases`."""

    def attach(
        self,
        assistant_id: str,
        knowledge_base_id: str,
    ) -> Answer[types.KnowledgeBasesAttachResult]:
        r"""Attach a knowledge base to an assistant (`knowledge-bases/attach`).

        Repeating it changes nothing. An assistant has at most 50 knowledge bases; a knowledge base at most 1,000
        assistants.
        """
        return self._call(
            "PUT",
            f"/assistants/{segment(assistant_id)}/knowledge-bases/{segment(knowledge_base_id)}",
        )

    def create(
        self,
        file: bytes,
        file_name: str,
        *,
        content_type: str = "application/octet-stream",
        name: str | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[types.ShownKnowledgeBase]:
        r"""Upload a file as a knowledge base (`knowledge-bases/create`).

        One file of up to 4 MB, as the part `file`. Supports PDF, DOCX, PPTX, XLSX, ODT, ODS, ODP, RTF, EPUB, EML,
        text, Markdown, HTML, CSV, JSON and images (PNG, JPEG, WebP, TIFF, GIF, BMP, JPEG 2000), detected by
        content. The `status` of the record is `processing`, then `ready`, or `failed` with the reason. Counts for
        the quota `uploads`.
        """
        return self._call(
            "POST",
            "/assistants/knowledge-base",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            form=build_form(file, file_name, content_type, {"name": name}),
        )

    def create_attached(
        self,
        assistant_id: str,
        file: bytes,
        file_name: str,
        *,
        content_type: str = "application/octet-stream",
        name: str | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[types.ShownKnowledgeBase]:
        r"""Upload a file, and attach it as a knowledge base (`knowledge-bases/create-attached`).

        One file of up to 4 MB, as the part `file`. Supports PDF, DOCX, PPTX, XLSX, ODT, ODS, ODP, RTF, EPUB, EML,
        text, Markdown, HTML, CSV, JSON and images (PNG, JPEG, WebP, TIFF, GIF, BMP, JPEG 2000), detected by
        content. The `status` of the record is `processing`, then `ready`, or `failed` with the reason. Counts for
        the quota `uploads`.
        """
        return self._call(
            "POST",
            f"/assistants/{segment(assistant_id)}/knowledge-base",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            form=build_form(file, file_name, content_type, {"name": name}),
        )

    def create_upload(
        self,
        body: types.NewUpload,
        *,
        idempotency_key: str | None = None,
    ) -> Answer[types.KnowledgeBasesCreateUploadResult]:
        r"""Get a form that uploads a large file straight to S3 (`knowledge-bases/create-upload`).

        For files of up to 50 MB; text, Markdown, HTML, CSV, JSON and files that declare no kind up to 10 MB. Post
        the returned `fields` as a form to `url`, with the file as the last field, `file`. S3 accepts exactly
        `size_bytes` bytes. Supports PDF, DOCX, PPTX, XLSX, ODT, ODS, ODP, RTF, EPUB, EML, text, Markdown, HTML,
        CSV, JSON and images (PNG, JPEG, WebP, TIFF, GIF, BMP, JPEG 2000), detected by content. The `status` of the
        record is `processing`, then `ready`, or `failed` with the reason. Counts for the quota `uploads`.
        """
        return self._call(
            "POST",
            "/assistants/knowledge-base/uploads",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            body=body,
        )

    def delete(
        self,
        knowledge_base_id: str,
        *,
        force: bool | None = None,
    ) -> Answer[types.Deleted]:
        r"""Delete a knowledge base with its file (`knowledge-bases/delete`).

        If it is attached to an assistant, this requires `force=true`, which detaches it first.
        """
        return self._call(
            "DELETE",
            f"/assistants/knowledge-base/{segment(knowledge_base_id)}",
            query={"force": force},
        )

    def detach(
        self,
        assistant_id: str,
        knowledge_base_id: str,
    ) -> Answer[types.KnowledgeBasesDetachResult]:
        r"""Detach a knowledge base from an assistant (`knowledge-bases/detach`).

        The knowledge base stays.
        """
        return self._call(
            "DELETE",
            f"/assistants/{segment(assistant_id)}/knowledge-bases/{segment(knowledge_base_id)}",
        )

    def get(
        self,
        knowledge_base_id: str,
    ) -> Answer[types.ShownKnowledgeBase]:
        r"""Read the record of a knowledge base (`knowledge-bases/get`).
        """
        return self._call(
            "GET",
            f"/assistants/knowledge-base/{segment(knowledge_base_id)}",
        )

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.KnowledgeBasesListResult]:
        r"""List your knowledge bases, newest first (`knowledge-bases/list`).
        """
        return self._call(
            "GET",
            "/assistants/knowledge-base",
            query={"limit": limit, "cursor": cursor},
        )

    def iterate(
        self,
        *,
        limit: int | None = None,
    ) -> Iterator[types.KnowledgeBaseRecord]:
        """Yields all items of `list`, page by page."""
        cursor: str | None = None
        while True:
            page = self.list(limit=limit, cursor=cursor)
            yield from page.body["data"]["knowledge_bases"]
            cursor = page.body["data"]["next_cursor"]
            if cursor is None:
                return

    def search(
        self,
        assistant_id: str,
        body: types.Search,
    ) -> Answer[types.KnowledgeBasesSearchResult]:
        r"""Search the knowledge bases of an assistant (`knowledge-bases/search`).

        Returns the best passages of all its knowledge bases. Searches for the words of the query in any form, and
        for similar ones if a word is not found. Scores are comparable within one response only.
        """
        return self._call(
            "POST",
            f"/assistants/{segment(assistant_id)}/search",
            body=body,
        )


class Logs(Group):
    """Operations of `logs`."""

    def audit(
        self,
        *,
        type: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        subject_id: str | None = None,
        actor_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Answer[types.EventPage]:
        r"""List who changed what, newest first (`logs/audit`).

        Events are kept for 90 days, unless the deployment sets `eventDays`. `type` is a type or all types of a
        subject: `call.*`. A page with a filter may have fewer events than `limit`, or none, and still a
        `next_cursor`: it reads at most 5 MB.
        """
        return self._call(
            "GET",
            "/logs/audit",
            query={"type": type, "limit": limit, "cursor": cursor, "subject_id": subject_id, "actor_id": actor_id, "from": from_, "to": to},
        )

    def iterate_audit(
        self,
        *,
        type: str | None = None,
        limit: int | None = None,
        subject_id: str | None = None,
        actor_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Iterator[types.Event]:
        """Yields all items of `audit`, page by page."""
        cursor: str | None = None
        while True:
            page = self.audit(type=type, limit=limit, subject_id=subject_id, actor_id=actor_id, from_=from_, to=to, cursor=cursor)
            yield from page.body["data"]["events"]
            cursor = page.body["data"]["next_cursor"]
            if cursor is None:
                return

    def create(
        self,
        body: types.CallLog | dict[str, Any],
        *,
        idempotency_key: str | None = None,
    ) -> Answer[types.LogsCreateResult]:
        r"""Save the log of a call with its transcript (`logs/create`).

        Accepts the transcript formats of LiveKit, Retell, Vapi and ElevenLabs, and a plain one. Without an
        `Idempotency-Key`, a longer version of a stored call replaces it, an equal one changes nothing, and any
        other becomes a new session. Unknown fields are stored as `extra`. Values of `usage`, `cost`,
        `assistant_version`, `direction`, `from` and `to` that make no sense are left out and named in
        `x-ignored-fields`; no call is refused for them.
        """
        return self._call(
            "POST",
            "/logs/call-logs",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            body=body,
        )

    def delete(
        self,
        session_id: str,
    ) -> Answer[types.Deleted]:
        r"""Delete a session with its transcript (`logs/delete`).
        """
        return self._call(
            "DELETE",
            f"/logs/chat-logs/{segment(session_id)}",
        )

    def get(
        self,
        session_id: str,
        *,
        cursor: str | None = None,
    ) -> Answer[types.LogsGetResult]:
        r"""Read the logs of one session (`logs/get`).

        Returns as many as fit into one response (5 MB). If there are more, `next_cursor` points to the next page.
        """
        return self._call(
            "GET",
            f"/logs/chat-logs/{segment(session_id)}",
            query={"cursor": cursor},
        )

    def iterate_get(
        self,
        session_id: str,
    ) -> Iterator[types.Log]:
        """Yields all items of `get`, page by page."""
        cursor: str | None = None
        while True:
            page = self.get(session_id, cursor=cursor)
            yield from page.body["data"]["logs"]
            cursor = page.body["data"]["next_cursor"]
            if cursor is None:
                return

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        assistant_id: str | None = None,
        room_name: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Answer[types.LogsListResult]:
        r"""List your sessions with their logs, newest first (`logs/list`).

        Sorted by the start of the call, or by the time when it was saved if the start is unknown, in the future,
        before 2000, or older than the retention of calls.
        """
        return self._call(
            "GET",
            "/logs/chat-logs",
            query={"limit": limit, "cursor": cursor, "assistant_id": assistant_id, "room_name": room_name, "from": from_, "to": to},
        )

    def iterate(
        self,
        *,
        limit: int | None = None,
        assistant_id: str | None = None,
        room_name: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Iterator[types.LogsListResultDataSessionsItem]:
        """Yields all items of `list`, page by page."""
        cursor: str | None = None
        while True:
            page = self.list(limit=limit, assistant_id=assistant_id, room_name=room_name, from_=from_, to=to, cursor=cursor)
            yield from page.body["data"]["sessions"]
            cursor = page.body["data"]["next_cursor"]
            if cursor is None:
                return

    def sessions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        assistant_id: str | None = None,
        room_name: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Answer[types.LogsSessionsResult]:
        r"""List your sessions, newest first (`logs/sessions`).

        Sorted by the start of the call, or by the time when it was saved if the start is unknown, in the future,
        before 2000, or older than the retention of calls.
        """
        return self._call(
            "GET",
            "/logs/chat-sessions",
            query={"limit": limit, "cursor": cursor, "assistant_id": assistant_id, "room_name": room_name, "from": from_, "to": to},
        )

    def iterate_sessions(
        self,
        *,
        limit: int | None = None,
        assistant_id: str | None = None,
        room_name: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Iterator[types.Session]:
        """Yields all items of `sessions`, page by page."""
        cursor: str | None = None
        while True:
            page = self.sessions(limit=limit, assistant_id=assistant_id, room_name=room_name, from_=from_, to=to, cursor=cursor)
            yield from page.body["data"]["sessions"]
            cursor = page.body["data"]["next_cursor"]
            if cursor is None:
                return


class Mcp(Group):
    """Operations of `mcp`."""

    def serve(
        self,
        body: types.McpMessage,
        *,
        tools: str | None = None,
    ) -> Answer[types.McpAnswer]:
        r"""Serve the operations as tools to coding agents (`mcp/serve`).

        The Model Context Protocol over Streamable HTTP, without sessions and without streams. Its tools are the
        operations of this document, except those that show secrets, receive files or start jobs. A call of a tool
        is a request to this API with the same token, so it can do what the token can, and counts for the same
        quotas. What the operation answers is the result, up to 64 KB. Errors of the protocol are JSON-RPC errors,
        with the status that the protocol asks for; a notification is answered with 202.
        """
        return self._call(
            "POST",
            "/mcp",
            query={"tools": tools},
            body=body,
            is_safe=False,
        )


class Protected(Group):
    """Operations of `protected`."""

    def check(
        self,
    ) -> Answer[types.ProtectedCheckResult]:
        r"""Check your token, and see your limits (`protected/check`).

        Who you are, in which workspace, with which role and tier. `quotas` has the limits that apply to you, with
        what is used today.
        """
        return self._call(
            "GET",
            "/protected",
        )


class Search(Group):
    """Operations of `search`."""

    def answer(
        self,
        body: types.Question,
    ) -> Answer[types.SearchAnswerResult]:
        r"""Ask a question, and get an answer that cites the documents of an assistant (`search/answer`).

        Searches what is attached to the assistant, and lets its language model answer from the passages, by its own
        vendor and your own key. `[2]` in the answer stands for the passage of that number in `citations`. If
        nothing is found, `answer` is null, and no model is asked. With `stream`, pieces of the answer come as
        server-sent events, `{"text": …}`, and at the end the same `data`; an error is the last event, `{"detail":
        …}`. Counts for the quota `search_answers`.
        """
        return self._call(
            "POST",
            "/search",
            body=body,
            is_safe=False,
        )

    def stream_answer(self, body: types.Question) -> Iterator[dict[str, Any]]:
        """Yields the pieces of `answer`, as they come. Raises ApiError if they end early."""
        return self._stream("/search", body, ends_with_done=False)

    def passages(
        self,
        body: types.PassageSearch,
    ) -> Answer[types.SearchPassagesResult]:
        r"""Find passages in your knowledge bases, without a language model (`search/passages`).

        Searches what is attached to an assistant (`assistant_id`), or the knowledge bases that you name
        (`knowledge_base_ids`). Without either, it searches your 50 newest that are ready and match the filters; it
        looks for them among your 200 newest. Knowledge bases that are not ready are skipped. Scores are comparable
        within one response only.
        """
        return self._call(
            "POST",
            "/search/only",
            body=body,
        )


class Usage(Group):
    """Operations of `usage`."""

    def prices(
        self,
    ) -> Answer[types.SavedPrices]:
        r"""Read your prices (`usage/prices`).
        """
        return self._call(
            "GET",
            "/usage/prices",
        )

    def save_prices(
        self,
        body: types.NewPrices,
        *,
        if_match: str | None = None,
    ) -> Answer[types.SavedPrices]:
        r"""Replace your prices (`usage/save-prices`).

        The cost of calls that are saved from now on follows from these prices, unless the worker reports a cost. A
        name is `call`, or a kind, a provider and a model: `llm:openai/gpt-4.1-mini`; `tts:cartesia/*` is the price
        of all models without their own. `llm` has `input`, `cached_input` or `output` per million tokens, `tts` has
        `per_million_characters`, `stt` and `call` have `per_minute`; a price with none of its amounts is refused.
        Prices that are not sent are removed; without `currency`, it stays. With `If-Match`, only the revision that
        you read is replaced.
        """
        return self._call(
            "PUT",
            "/usage/prices",
            headers={"If-Match": if_match},
            body=body,
        )

    def stats(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        assistant_id: str | None = None,
    ) -> Answer[types.UsageStatsResult]:
        r"""Sum up calls, latency and cost (`usage/stats`).

        At most 366 days, or 92 with `assistant_id`. `from` and `to` are days in UTC, both included; without them,
        the last 30 days. Percentiles of latency are estimated from a histogram. Usage is counted in the transaction
        that saves a call, and stays when calls are deleted or expire.
        """
        return self._call(
            "GET",
            "/usage/stats",
            query={"from": from_, "to": to, "assistant_id": assistant_id},
        )


class Versions(Group):
    """Operations of `versions`."""

    def delete(
        self,
        assistant_id: str,
        version: str | int,
    ) -> Answer[types.VersionsDeleteResult]:
        r"""Delete a version that is not live (`versions/delete`).
        """
        return self._call(
            "DELETE",
            f"/assistants/{segment(assistant_id)}/versions/{segment(version)}",
        )

    def diff(
        self,
        assistant_id: str,
        version: str | int,
        *,
        against: str | None = None,
    ) -> Answer[types.VersionsDiffResult]:
        r"""Compare a version of an assistant with another (`versions/diff`).

        Lists the fields that differ, each with its values before (in `against`) and after. Without `against`, that
        is the version before it. Tools and MCP servers are compared by their names.
        """
        return self._call(
            "GET",
            f"/assistants/{segment(assistant_id)}/versions/{segment(version)}/diff",
            query={"against": against},
        )

    def get(
        self,
        assistant_id: str,
        version: str | int,
    ) -> Answer[types.VersionsGetResult]:
        r"""Read a version of an assistant (`versions/get`).

        `version` is a number, `live` for the version that most calls get, or `draft`.
        """
        return self._call(
            "GET",
            f"/assistants/{segment(assistant_id)}/versions/{segment(version)}",
        )

    def list(
        self,
        assistant_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.VersionsListResult]:
        r"""List the versions of an assistant, newest first (`versions/list`).

        Without what they hold. `weight` is the share of the calls that get the version, in percent.
        """
        return self._call(
            "GET",
            f"/assistants/{segment(assistant_id)}/versions",
            query={"limit": limit, "cursor": cursor},
        )

    def iterate(
        self,
        assistant_id: str,
        *,
        limit: int | None = None,
    ) -> Iterator[types.Version]:
        """Yields all items of `list`, page by page."""
        cursor: str | None = None
        while True:
            page = self.list(assistant_id, limit=limit, cursor=cursor)
            yield from page.body["data"]["versions"]
            cursor = page.body["data"]["next_cursor"]
            if cursor is None:
                return

    def live(
        self,
        assistant_id: str,
        body: types.LiveChange,
        *,
        if_match: str | None = None,
    ) -> Answer[types.OneLive]:
        r"""Choose the versions that calls get (`versions/live`).

        One `version`, or up to five `versions` whose weights add up to 100. A call is given one of them by its
        room. An empty list makes the draft live again. Calls get it with the next read of their worker, within 15
        minutes. With `If-Match`, only if they are still those of the `ETag` of `GET …/versions/live`.
        """
        return self._call(
            "PUT",
            f"/assistants/{segment(assistant_id)}/live",
            headers={"If-Match": if_match},
            body=body,
        )

    def publish(
        self,
        assistant_id: str,
        body: types.Publication | None = None,
        *,
        idempotency_key: str | None = None,
        if_match: str | None = None,
    ) -> Answer[types.OneVersion]:
        r"""Publish an assistant: make a version of its draft (`versions/publish`).

        The version never changes. The next calls get it, unless `live` is false. From the first live version on,
        `PUT` changes only the draft. If the draft equals the newest version, that one is returned. With `If-Match`,
        only the revision that you read is published.
        """
        return self._call(
            "POST",
            f"/assistants/{segment(assistant_id)}/versions",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "If-Match": if_match},
            body=body or {},
        )

    def restore(
        self,
        assistant_id: str,
        version: str | int,
        body: types.EmptyBody | None = None,
        *,
        if_match: str | None = None,
    ) -> Answer[types.Assistant]:
        r"""Copy a version into the draft of its assistant (`versions/restore`).

        What calls get stays as it is, if a version is live. Knowledge bases stay attached as they are. With
        `If-Match`, only the revision that you read is replaced.
        """
        return self._call(
            "POST",
            f"/assistants/{segment(assistant_id)}/versions/{segment(version)}/restore",
            headers={"If-Match": if_match},
            body=body or {},
            is_safe=False,
        )


class Vision(Group):
    """Operations of `vision`."""

    def analyze(
        self,
        body: types.ImageQuestion,
    ) -> Answer[types.VisionAnalyzeResult]:
        r"""Ask an assistant about an image (`vision/analyze`).

        Asks the assistant's language model, with the assistant's prompt and tools, by its own vendor and your own
        key. `image` is an https address, which the vendor reads, or the image itself as `data:image/png;base64,…`.
        For a conversation with images, use `POST /chat/completions`. Counts for the quota `completions`.
        """
        return self._call(
            "POST",
            "/vision/analyze",
            body=body,
            is_safe=False,
        )


class WebCalls(Group):
    """Operations of `web-calls`."""

    def create(
        self,
        assistant_id: str,
        body: types.NewWebCall | None = None,
    ) -> Answer[types.WebCallsCreateResult]:
        r"""Let a browser call an assistant (`web-calls/create`).

        Mints a token of LiveKit with your own key, the credential `livekit`. Whoever has the token can join this
        one room until `expires_at`, as `participant_name`. LiveKit then sends your worker `agent_name` there, with
        the assistant, `version` and `variables`. Answers 422 with all required variables that are missing, and if
        the texts cannot be rendered. Nothing is sent to LiveKit. Counts for the quota `web_calls`.
        """
        return self._call(
            "POST",
            f"/assistants/{segment(assistant_id)}/web-calls",
            body=body or {},
            is_safe=False,
        )


class Webhooks(Group):
    """Operations of `webhooks`."""

    def create(
        self,
        body: types.NewWebhook,
        *,
        idempotency_key: str | None = None,
    ) -> Answer[types.WebhookWithSecret]:
        r"""Create a webhook (`webhooks/create`).

        From now on, each event of the named types is sent to `url` until it answers 2xx, signed as Standard
        Webhooks has it. `events` names types (`call.completed`), all types of a subject (`call.*`) or all (`*`,
        which leaves out `credential.leased`). Without `secret`, one is made. It is returned only once, and is null
        in a response that is repeated for an `Idempotency-Key`. A user has at most 20 webhooks.
        """
        return self._call(
            "POST",
            "/webhooks",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            body=body,
        )

    def delete(
        self,
        webhook_id: str,
        *,
        if_match: str | None = None,
    ) -> Answer[types.Deleted]:
        r"""Delete a webhook (`webhooks/delete`).

        What was not delivered yet is not sent any more.
        """
        return self._call(
            "DELETE",
            f"/webhooks/{segment(webhook_id)}",
            headers={"If-Match": if_match},
        )

    def deliveries(
        self,
        webhook_id: str,
        *,
        status: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.WebhooksDeliveriesResult]:
        r"""List the deliveries of a webhook, newest events first (`webhooks/deliveries`).

        Each with what was sent, its last ten attempts and the beginning of each answer. A transcript that was sent
        is left out. Deliveries are kept for 30 days. `next_attempt_at` is null while the receiver rests.
        """
        return self._call(
            "GET",
            f"/webhooks/{segment(webhook_id)}/deliveries",
            query={"status": status, "limit": limit, "cursor": cursor},
        )

    def iterate_deliveries(
        self,
        webhook_id: str,
        *,
        status: str | None = None,
        limit: int | None = None,
    ) -> Iterator[types.Delivery]:
        """Yields all items of `deliveries`, page by page."""
        cursor: str | None = None
        while True:
            page = self.deliveries(webhook_id, status=status, limit=limit, cursor=cursor)
            yield from page.body["data"]["deliveries"]
            cursor = page.body["data"]["next_cursor"]
            if cursor is None:
                return

    def get(
        self,
        webhook_id: str,
    ) -> Answer[types.OneWebhook]:
        r"""Read one of your webhooks (`webhooks/get`).
        """
        return self._call(
            "GET",
            f"/webhooks/{segment(webhook_id)}",
        )

    def list(
        self,
    ) -> Answer[types.WebhooksListResult]:
        r"""List your webhooks, newest first (`webhooks/list`).

        With their health, and without their secrets and the values of their headers.
        """
        return self._call(
            "GET",
            "/webhooks",
        )

    def replay(
        self,
        webhook_id: str,
        body: types.Replay,
        *,
        idempotency_key: str | None = None,
    ) -> Answer[types.Requested]:
        r"""Send the events of a period to a webhook again (`webhooks/replay`).

        Sends those that the webhook subscribes to now, also if it did not exist then. `types` selects some of them,
        `only_failed` those whose delivery has failed. Receivers recognize a repeated event by its id.
        """
        return self._call(
            "POST",
            f"/webhooks/{segment(webhook_id)}/replay",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            body=body,
        )

    def retry(
        self,
        webhook_id: str,
        event_id: str,
        body: types.EmptyBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Answer[types.Requested]:
        r"""Send an event to a webhook again (`webhooks/retry`).

        Whatever became of it before. It is tried up to ten times, as a new one.
        """
        return self._call(
            "POST",
            f"/webhooks/{segment(webhook_id)}/deliveries/{segment(event_id)}",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            body=body or {},
        )

    def rotate(
        self,
        webhook_id: str,
        body: types.SecretRotation | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Answer[types.WebhookWithSecret]:
        r"""Replace the secret of a webhook (`webhooks/rotate`).

        Deliveries are signed with both secrets for `grace_seconds`, then with the new one alone. Without `secret`,
        one is made. It is returned only once.
        """
        return self._call(
            "POST",
            f"/webhooks/{segment(webhook_id)}/secret",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            body=body or {},
        )

    def test(
        self,
        webhook_id: str,
        body: types.EmptyBody | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Answer[types.Requested]:
        r"""Send a test event to a webhook (`webhooks/test`).

        Sends `webhook.test`, whatever the webhook subscribes to. Its deliveries show what became of it.
        """
        return self._call(
            "POST",
            f"/webhooks/{segment(webhook_id)}/test",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            body=body or {},
        )

    def update(
        self,
        webhook_id: str,
        body: types.WebhookUpdate,
        *,
        if_match: str | None = None,
    ) -> Answer[types.OneWebhook]:
        r"""Change some fields of a webhook (`webhooks/update`).

        Absent fields stay as they are. `headers` is replaced whole. `enabled: true` forgets former failures. With
        `If-Match`, only the revision that you read is changed.
        """
        return self._call(
            "PUT",
            f"/webhooks/{segment(webhook_id)}",
            headers={"If-Match": if_match},
            body=body,
        )


class Operations:
    """All groups of operations."""

    def __init__(self, connection: Connection) -> None:
        self.analytics = Analytics(connection)
        self.api_keys = ApiKeys(connection)
        self.assistants = Assistants(connection)
        self.chats = Chats(connection)
        self.completions = Completions(connection)
        self.credentials = Credentials(connection)
        self.events = Events(connection)
        self.jobs = Jobs(connection)
        self.knowledge_bases = KnowledgeBases(connection)
        self.logs = Logs(connection)
        self.mcp = Mcp(connection)
        self.protected = Protected(connection)
        self.search = Search(connection)
        self.usage = Usage(connection)
        self.versions = Versions(connection)
        self.vision = Vision(connection)
        self.web_calls = WebCalls(connection)
        self.webhooks = Webhooks(connection)
