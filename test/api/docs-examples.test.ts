import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { runInParallel } from '../../infra/commands/data/in-parallel.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { Log } from '../../shared/schemas/log.ts';
import { type Client, createUser, deployed } from '../support/api.ts';
import { createAssistant, minimal } from '../support/assistants.ts';
import { createFullUser } from '../support/full-user.ts';
import { uploadAndWait } from '../support/knowledge-bases.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import { answerModel } from '../support/vendor.ts';

const run = promisify(execFile);

/** Returns the code blocks of a page in one language, each with its heading. */
function readBlocks(page: string, language: string): [heading: string, code: string][] {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');
  return text.split(/^## /m).flatMap((section) => {
    const heading = section.split('\n', 1)[0] ?? '';
    const blocks = [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))];
    return blocks.map(([, code = '']): [string, string] => [heading, code]);
  });
}

const toExecOptions = ({ baseUrl, token }: Client, more: Record<string, string>) => ({
  env: { ...process.env, API: baseUrl, TOKEN: token, ...more },
  maxBuffer: 2 ** 26,
});

/** Runs a program from the docs. Returns the lines that it prints. */
async function runProgram(code: string, client: Client, more: Record<string, string> = {}): Promise<string[]> {
  const args = ['--input-type=module', '--eval', code];
  const { stdout } = await run(process.execPath, args, toExecOptions(client, more));
  return stdout.trimEnd().split('\n');
}

describe.skipIf(deployed)('docs/calls.md', () => {
  const programs = new Map(readBlocks('calls.md', 'js'));
  const getProgram = (heading: string) => programs.get(heading) ?? '';
  const turns = 6_000;
  let client: Client;
  let longCall = '';
  let ids: string[] = [];
  beforeAll(async () => {
    ({ client } = await createFullUser({ sessions: 205, long: 0 }));
    const { body: assistant } = await createAssistant(client);
    const transcript = Array.from({ length: turns }, () => ({ role: 'user', content: 'x'.repeat(500) }));
    const saved = await client.post<{ data: { id: string } }>('/logs/call-logs', {
      assistant_id: assistant.id,
      room_name: 'long',
      transcript,
    });
    longCall = saved.body.data.id;
    const all = await client.get<{ data: { sessions: { session_id: string }[] } }>('/logs/chat-sessions?limit=1000');
    ids = all.body.data.sessions.map(({ session_id }) => session_id);
    expect(ids.length).toBeGreaterThan(200);
  });

  it.each(['List all calls', 'Skip through chats'])('lists each call once: %s', async (heading) => {
    const lines = await runProgram(getProgram(heading), client);
    expect(lines.map((line) => line.split(' ')[0])).toEqual(ids);
  });

  it('reads a call that is too long for one response', async () => {
    const first = await client.get<{ data: { next_cursor: string | null } }>(`/logs/chat-logs/${longCall}`);
    expect(first.body.data.next_cursor).not.toBeNull();
    const lines = await runProgram(getProgram('Read one call to its end'), client, { SESSION_ID: longCall });
    const logs: Log[] = lines.map((line) => JSON.parse(line));
    expect(logs.map(({ index }) => index)).toEqual(Array.from({ length: turns }, (_, i) => i));
  });

  it('reads every call with all its logs', async () => {
    const lines = await runProgram(getProgram('Read everything'), client);
    const calls: { session_id: string; message_count: number; logs: Log[] }[] = lines.map((line) => JSON.parse(line));
    expect(calls.map(({ session_id }) => session_id)).toEqual(ids);
    for (const { logs, message_count } of calls) expect(logs).toHaveLength(message_count);
  });

  it('reads a list by its Link header', async () => {
    const user = await createUser();
    await runInParallel(Array(101).keys(), 8, async () => void (await user.post('/assistants', minimal)));
    const lines = await runProgram(getProgram('Lists of other things'), user);
    expect(new Set(lines).size).toBe(101);
  });

  it('has no other programs', () => {
    expect([...programs.keys()]).toEqual([
      'List all calls',
      'Read one call to its end',
      'Read everything',
      'Skip through chats',
      'Lists of other things',
    ]);
  });
});

describe.skipIf(deployed)('docs/assistants.md', () => {
  it('has commands that work in order', async () => {
    const user = await createUser();
    const answers: string[] = [];
    let id: string = randomUUID();
    for (const [, code] of readBlocks('assistants.md', 'sh')) {
      const { stdout } = await run('bash', ['-ec', code], toExecOptions(user, { ID: id }));
      expect(stdout).not.toContain('"detail"');
      answers.push(stdout);
      if (answers.length === 1) id = JSON.parse(stdout).id;
    }
    expect(answers).toHaveLength(5);
    expect(answers[2]).toContain('"service_type":"openai"');
    const { body } = await user.get<Assistant>(`/assistants/${id}`);
    expect(body).toMatchObject({
      name: 'Receptionist',
      first_message: 'Clinic Weber, good evening!',
      voice: { tts_provider: 'cartesia', tts_model: 'default', language: 'de', speed: 1.05, credential: 'clinic' },
      llm: { llm_provider: 'openai', model: 'gpt-4.1-mini' },
    });
    const credentials = await user.get<{ service_type: string }[]>('/user-credentials');
    expect(credentials.body.map(({ service_type }) => service_type)).toEqual(['openai']);
  });
});

describe.skipIf(deployed)('docs/events.md', () => {
  it('keeps up with each event once, over polls without news and polls that fail', async () => {
    const [[, poll = ''] = []] = readBlocks('events.md', 'sh').filter(([heading]) => heading === 'Keep up');
    const user = await createUser();
    const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-events-docs-'));
    /** Runs the program as a shell does, and returns the types of the events that it read. Events appear without delay. */
    const keepUp = async (token = user.token) => {
      const program = poll.replace('limit=1000', 'limit=1000&settled=false');
      const options = toExecOptions(user, { AUTH: `Authorization: Bearer ${token}` });
      const ended = await run('bash', ['-c', program], { ...options, cwd: dir }).catch(() => undefined);
      if (!ended) return 'failed';
      const { data } = JSON.parse(readFileSync(join(dir, 'page.json'), 'utf8'));
      return data.events.map(({ type }: { type: string }) => type);
    };
    const { body: assistant } = await createAssistant(user);
    expect(await keepUp()).toEqual(['assistant.created']);
    expect(await keepUp()).toEqual([]);
    expect(await keepUp('wrong')).toBe('failed');
    await user.put(`/assistants/${assistant.id}`, { name: 'Edited' });
    expect(await keepUp()).toEqual(['assistant.updated']);
    rmSync(dir, { recursive: true });
  });
});

describe.skipIf(deployed)('docs/knowledge-bases.md', () => {
  it('has a program that shows an answer piece by piece, and the documents that it cites', async () => {
    const [[, program = ''] = []] = readBlocks('knowledge-bases.md', 'js');
    const vendor = await startReceiver(answerModel({ text: 'On Saturdays at nine [1].' }));
    const user = await createUser();
    await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-any' });
    const llm = { model: 'gpt-4.1-mini', base_url: new URL('/v1', vendor.url).href };
    const { body: assistant } = await createAssistant(user, { llm });
    const { id } = await uploadAndWait(user, 'On Saturdays we open at nine.', 'hours.md');
    await user.put(`/assistants/${assistant.id}/knowledge-bases/${id}`, undefined);
    const lines = await runProgram(program, user, { ID: assistant.id });
    expect(lines).toEqual(['On Saturdays at nine [1].', '[1] hours.md']);
    vendor.script = answer(401, '{"error":{"message":"Wrong key"}}');
    await expect(runProgram(program, user, { ID: assistant.id })).rejects.toThrow('Wrong key');
    vendor.stop();
  });
});
