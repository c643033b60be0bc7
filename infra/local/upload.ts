import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type KnowledgeBase, maxPostedBytes } from '../../shared/schemas/knowledge-base.ts';
import { fetchAgain } from '../fetch-again.ts';
import { Problem, run } from '../problem.ts';
import { bar, progress } from '../progress.ts';
import { target } from './target.ts';

const usage = 'Name a file: npm run upload -- handbook.pdf [--attach <assistant id>] [--sub alice]';

/** Sends a form, telling how much of it is sent; `fetch` cannot tell. S3 wants to know the length, so the form is measured first. */
async function send(url: string, form: FormData, more: Record<string, string>, tell: (share: number) => void) {
  const encoded = new Response(form);
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  const headers = { ...Object.fromEntries(encoded.headers), ...more, 'content-length': bytes.length };
  const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, { method: 'POST', headers });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  const chunks = function* () {
    for (let at = 0; at < bytes.length; at += 65_536) {
      tell(at / bytes.length);
      yield bytes.subarray(at, at + 65_536);
    }
    tell(1);
  };
  // Whoever refuses a form may not wait for all of it: then its answer counts.
  const [[answer]] = await Promise.all([answered, pipeline(Readable.from(chunks()), request).catch(() => {})]);
  const { statusCode: status = 0 } = answer;
  return { ok: status >= 200 && status < 300, text: await text(answer) };
}

/** Uploads a document, shows how it is read, and waits until it is ready. Prints its record. */
run(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { attach: { type: 'string' }, sub: { type: 'string' } },
  });
  const [path] = positionals;
  if (!path) throw new Problem(usage);
  const file = await Promise.try(openAsBlob, path).catch(() => {
    throw new Problem(`There is no file ${path}`);
  });
  const { base, token } = await target(values.sub);
  const say = progress();

  const authorization = `Bearer ${token}`;
  const unreachable = () => {
    throw new Problem(`Nothing answers at ${base}`);
  };

  /** What the API answered. Throws Problem, in its own words. */
  function dataOf<T>(answer: string): T {
    const { data, detail } = JSON.parse(answer) as { data: T; detail?: { msg: string }[] };
    if (detail) throw new Problem(detail.map(({ msg }) => msg).join('\n'));
    return data;
  }

  async function call<T>(method: string, route: string, body?: object): Promise<T> {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
    const options = { method, headers, body: body ? JSON.stringify(body) : null };
    return dataOf(await (await fetchAgain(`${base}/assistants${route}`, options).catch(unreachable)).text());
  }

  const sending = (share: number) => say(`Sending  ${bar(share)}`);
  const name = basename(path);
  const form = new FormData();
  let record: KnowledgeBase;
  if (file.size <= maxPostedBytes) {
    form.set('file', file, name);
    const url = `${base}/assistants/knowledge-base`;
    record = dataOf((await send(url, form, { authorization }, sending).catch(unreachable)).text);
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
    const { ok, text: answer } = await send(upload.url, form, {}, sending);
    if (!ok) throw new Problem(`S3 refused the file: ${answer}`);
    record = knowledge_base;
  }
  const startedAt = Date.now();
  while (record.status === 'processing') {
    say(`Reading  ${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
    await sleep(300);
    record = await call('GET', `/knowledge-base/${record.id}`);
  }
  say('');
  if (record.status === 'failed') throw new Problem(`${name}: ${record.status_reason?.msg}`);
  if (values.attach) {
    await call('PUT', `/${values.attach}/knowledge-bases/${record.id}`);
    record = await call('GET', `/knowledge-base/${record.id}`);
  }
  console.log(JSON.stringify(record, null, 2));
});
