import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { spoken } from './corpus.ts';

/** How large transcripts are, each turn of which says something else. Prints a table. */

const turns = 1_000;

/** A number from 0 to 1 that looks like any other, the same in each run. */
const random = (seed: string) => createHash('sha256').update(seed).digest().readUInt32BE() / 2 ** 32;

/** Turns as LiveKit sends them: a caller and an assistant, with ids, times and measurements of their own. */
function asLiveKit(said: string[]): object[] {
  let at = 1_763_708_402.113;
  return said.map((text, i) => {
    at += 1 + text.length / 15 + random(`pause ${i}`);
    const seconds = (what: string) => Math.round((0.2 + random(`${what} ${i}`)) * 1000) / 1000;
    const isAssistant = i % 2 === 0;
    return {
      id: `item_${createHash('sha256').update(`${i}`).digest('hex').slice(0, 12)}`,
      type: 'message',
      role: isAssistant ? 'assistant' : 'user',
      content: [text],
      interrupted: isAssistant && random(`interrupted ${i}`) < 0.1,
      ...(!isAssistant && { transcript_confidence: Math.round((0.9 + random(`heard ${i}`) / 10) * 100) / 100 }),
      created_at: Math.round(at * 1000) / 1000,
      ...(isAssistant && { metrics: { llm_node_ttft: seconds('model'), tts_node_ttfb: seconds('voice') } }),
    };
  });
}

const asPlain = (said: string[]) => said.map((text, i) => ({ speaker: i % 2 ? 'caller' : 'assistant', text }));

const said = spoken(turns);
console.log(`| ${turns.toLocaleString('en')} turns | Bytes | Bytes, compressed |\n|---|---:|---:|`);
for (const [name, items] of [
  ['as LiveKit sends them', asLiveKit(said)],
  ['`{speaker, text}`', asPlain(said)],
] as const) {
  const json = Buffer.from(JSON.stringify(items));
  const [before, after] = [json, zstdCompressSync(json)].map(({ length }) => length.toLocaleString('en'));
  console.log(`| ${name} | ${before} | ${after} |`);
}
