import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KnowledgeBase, maxPostedBytes } from '../../../shared/schemas/knowledge-base.ts';
import { getTarget } from '../../local/target.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { fetchWithRetry } from '../../terminal/fetch-with-retry.ts';
import { createProgressLine, formatBar } from '../../terminal/progress.ts';
import { run, UserError } from '../../terminal/user-error.ts';

const usage = `Usage: npm run upload -- handbook.pdf [--attach <assistant id>] [--sub demo]
Uploads a document to the local host, or to the API at BASE_URL as the user of TOKEN, and waits until it is parsed.`;

/**
 * Posts a form and reports its progress as a share from 0 to 1. Does not use `fetch`, which reports no progress. Encodes the whole form
 * first, because S3 requires a content length.
 */
async function sendForm(
  url: string,
  form: FormData,
  extraHeaders: Record<string, string>,
  onProgress: (share: number) => void,
) {
  const encoded = new Response(form);
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  const headers = { ...Object.fromEntries(encoded.headers), ...extraHeaders, 'content-length': bytes.length };
  const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, { method: 'POST', headers });
  const response = once(request, 'response') as Promise<[IncomingMessage]>;
  const chunks = function* () {
    for (let at = 0; at < bytes.length; at += 65_536) {
      onProgress(at / bytes.length);
      yield bytes.subarray(at, at + 65_536);
    }
    onProgress(1);
  };
  // A server that rejects the form may close the connection before it has read all of it. Its response still counts.
  const [[answer]] = await Promise.all([response, pipeline(Readable.from(chunks()), request).catch(() => {})]);
  const { statusCode: status = 0 } = answer;
  return { ok: status >= 200 && status < 300, text: await text(answer) };
}

/** Uploads a document, shows the progress, waits until it is parsed and prints its knowledge base. */
run(async () => {
  const { values, positionals } = readArguments(usage, {
    allowPositionals: true,
    options: { attach: { type: 'string' }, sub: { type: 'string' } },
  });
  const [path] = positionals;
  if (!path) throw new UserError(`Name the file to upload. ${usage}`);
  const file = await Promise.try(openAsBlob, path).catch(() => {
    throw new UserError(`There is no file ${path}`);
  });
  const { base, token } = await getTarget(values.sub);
  const show = createProgressLine();

  const authorization = `Bearer ${token}`;
  const unreachable = () => {
    throw new UserError(`Cannot reach ${base}: check the address and your network`);
  };

  /** Returns the data of an API response. Throws UserError with the API's message. */
  function parseData<T>(answer: string): T {
    const { data, detail } = JSON.parse(answer) as { data: T; detail?: { msg: string }[] };
    if (detail) throw new UserError(detail.map(({ msg }) => msg).join('\n'));
    return data;
  }

  async function call<T>(method: string, route: string, body?: object): Promise<T> {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
    const options = { method, headers, body: body ? JSON.stringify(body) : null };
    return parseData(await (await fetchWithRetry(`${base}/assistants${route}`, options).catch(unreachable)).text());
  }

  const sending = (share: number) => show(`Sending  ${formatBar(share)}`);
  const name = basename(path);
  const form = new FormData();
  let record: KnowledgeBase;
  if (file.size <= maxPostedBytes) {
    form.set('file', file, name);
    const url = `${base}/assistants/knowledge-base`;
    record = parseData((await sendForm(url, form, { authorization }, sending).catch(unreachable)).text);
  } else {
    const { knowledge_base, upload } = await call<{
      knowledge_base: KnowledgeBase;
      upload: { url: string; fields: Record<string, string> };
    }>('POST', '/knowledge-base/uploads', {
      file_name: name,
      content_type: 'application/octet-stream',
      size_bytes: file.size,
    });
    for (const [field, value] of Object.entries(upload.fields)) form.set(field, value);
    form.set('file', file);
    const { ok, text: answer } = await sendForm(upload.url, form, {}, sending);
    if (!ok) throw new UserError(`S3 rejected the file: ${answer}`);
    record = knowledge_base;
  }
  const startedAt = Date.now();
  while (record.status === 'processing') {
    show(`Parsing  ${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
    await sleep(300);
    record = await call('GET', `/knowledge-base/${record.id}`);
  }
  show('');
  if (record.status === 'failed') throw new UserError(`${name}: ${record.status_reason?.msg}`);
  if (values.attach) {
    await call('PUT', `/${values.attach}/knowledge-bases/${record.id}`);
    record = await call('GET', `/knowledge-base/${record.id}`);
  }
  console.log(JSON.stringify(record, null, 2));
});
