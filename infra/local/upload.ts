import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type KnowledgeBase, maxPostedBytes } from '../../shared/schemas/knowledge-base.ts';
import { Problem, run } from '../problem.ts';
import { LocalIssuer } from './emulators/issuer.ts';
import { dataDir } from './host.ts';

const usage = 'Name a file: npm run upload -- handbook.pdf [--attach <assistant id>] [--sub alice]';

/** Overwrites the line at a terminal; elsewhere says only what is new. */
function progress(): (text: string) => void {
  let last = '';
  return (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
    else if (text !== last) process.stderr.write(`${text}\n`);
    last = text;
  };
}

const bar = (share: number) => `[${'#'.repeat(Math.round(share * 30)).padEnd(30, '.')}] ${Math.round(share * 100)} %`;

/** Uploads a document, shows how it is read, and waits until it is ready. Prints its record. */
run(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { attach: { type: 'string' }, sub: { type: 'string', default: 'demo' } },
  });
  const [path] = positionals;
  if (!path) throw new Problem(usage);
  const file = await openAsBlob(path).catch(() => {
    throw new Problem(`There is no file ${path}`);
  });
  const base = process.env.BASE_URL ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`;
  const token = process.env.TOKEN ?? (await (await LocalIssuer.open(dataDir())).token({ sub: values.sub, ttl: 3600 }));
  const say = progress();

  /** Calls the API. Throws Problem, in the service's own words. */
  async function call<T>(method: string, route: string, body?: FormData | string): Promise<T> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    };
    const response = await fetch(`${base}/assistants${route}`, { method, headers, body: body ?? null }).catch(() => {
      throw new Problem(`Nothing answers at ${base}: start it by npm start, or name it by BASE_URL (or PORT)`);
    });
    const { data, detail } = (await response.json()) as { data: T; detail?: { msg: string }[] };
    if (detail) throw new Problem(detail.map(({ msg }) => msg).join('\n'));
    return data;
  }

  /** Sends a form, telling how far it is. */
  async function send(url: string, form: FormData): Promise<void> {
    const { body, headers } = new Response(form);
    let sent = 0;
    const counted = body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          sent += chunk.length;
          say(`Sending  ${bar(Math.min(1, sent / file.size))}`);
          controller.enqueue(chunk);
        },
      }),
    );
    // S3 wants to know the length, so the form is measured before it is sent.
    const bytes = await new Response(counted ?? null).arrayBuffer();
    const response = await fetch(url, { method: 'POST', headers, body: bytes });
    if (!response.ok) throw new Problem(`S3 refused the file: ${await response.text()}`);
  }

  const name = basename(path);
  let record: KnowledgeBase;
  if (file.size <= maxPostedBytes) {
    const form = new FormData();
    form.set('file', file, name);
    say(`Sending  ${bar(0)}`);
    record = await call('POST', '/knowledge-base', form);
  } else {
    const announced = JSON.stringify({
      file_name: name,
      content_type: 'application/octet-stream',
      size_bytes: file.size,
    });
    const { knowledge_base, upload } = await call<{
      knowledge_base: KnowledgeBase;
      upload: { url: string; fields: Record<string, string> };
    }>('POST', '/knowledge-base/uploads', announced);
    const form = new FormData();
    for (const [field, value] of Object.entries(upload.fields)) form.set(field, value);
    form.set('file', file);
    await send(upload.url, form);
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
  if (values.attach) await call('PUT', `/${values.attach}/knowledge-bases/${record.id}`);
  console.log(JSON.stringify(record, null, 2));
});
