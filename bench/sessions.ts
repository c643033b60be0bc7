import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { buildTurns } from './corpus.ts';

// Prints the sizes of transcripts. Every turn of them is different.

const turns = 1_000;

/** Returns a pseudorandom number between 0 and 1 that is the same in each run. */
const toPseudoRandom = (seed: string) => createHash('sha256').update(seed).digest().readUInt32BE() / 2 ** 32;

/** Returns turns of a caller and an assistant in LiveKit's format, with ids, times and metrics. */
function toLiveKitItems(said: string[]): object[] {
  let at = 1_763_708_402.113;
  return said.map((text, i) => {
    at += 1 + text.length / 15 + toPseudoRandom(`pause ${i}`);
    const seconds = (what: string) => Math.round((0.2 + toPseudoRandom(`${what} ${i}`)) * 1000) / 1000;
    const isAssistant = i % 2 === 0;
    return {
      id: `item_${createHash('sha256').update(`${i}`).digest('hex').slice(0, 12)}`,
      type: 'message',
      role: isAssistant ? 'assistant' : 'user',
      content: [text],
      interrupted: isAssistant && toPseudoRandom(`interrupted ${i}`) < 0.1,
      ...(!isAssistant && { transcript_confidence: Math.round((0.9 + toPseudoRandom(`heard ${i}`) / 10) * 100) / 100 }),
      created_at: Math.round(at * 1000) / 1000,
      ...(isAssistant && { metrics: { llm_node_ttft: seconds('model'), tts_node_ttfb: seconds('voice') } }),
    };
  });
}

const toPlainItems = (said: string[]) => said.map((text, i) => ({ speaker: i % 2 ? 'caller' : 'assistant', text }));

const said = buildTurns(turns);
console.log(`| ${turns.toLocaleString('en')} turns | Bytes | Bytes, compressed |\n|---|---:|---:|`);
for (const [name, items] of [
  ['as LiveKit sends them', toLiveKitItems(said)],
  ['`{speaker, text}`', toPlainItems(said)],
] as const) {
  const json = Buffer.from(JSON.stringify(items));
  const [before, after] = [json, zstdCompressSync(json)].map(({ length }) => length.toLocaleString('en'));
  console.log(`| ${name} | ${before} | ${after} |`);
}
