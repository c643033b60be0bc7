import { type Draft, type DraftTool, readText, type SourceText } from './draft.ts';
import { withholdValues } from './schema-keys.ts';
import type { Field } from './source.ts';

const maxPurpose = 1_024;
const maxSpeech = 1_000;
const maxWhen = 500;

/** Reads the name of a tool, in the letters that every vendor of language models accepts. */
export function readToolName(field: Field): string | undefined {
  const text = field.isEmpty ? undefined : field.text()?.trim();
  if (!text) return undefined;
  const name = text.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60);
  if (name !== text) field.change(`Names of tools have letters, digits, _ and -: it is named ${name}`);
  return name;
}

/** Cuts a text to a number of characters, with a warning. */
function cut(text: string, max: number, field: Field): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  field.change(`It is cut to ${max.toLocaleString('en')} characters`);
  return characters.slice(0, max).join('');
}

/** Reads when the model should call a tool. */
export function readPurpose(field: Field, name = 'a tool'): string {
  const text = readText(field)?.trim();
  return text ? cut(text, maxPurpose, field) : `Calls ${name.replace(/[_-]+/g, ' ')}.`;
}

/** Reads what the assistant says while a tool runs. */
export function readSpeech(field: Field): SourceText | undefined {
  const text = readText(field)?.trim();
  return text ? { text: cut(text, maxSpeech, field), field } : undefined;
}

/** Reads a word that says nothing new, such as the only type that something can have. Warns of any other. */
export function readWord(field: Field, ...words: string[]): void {
  if (!field.isEmpty) field.choice(...words);
}

/** Reads the JSON Schema of a tool's arguments, without keys. */
export function readParameters(field: Field): Record<string, unknown> | undefined {
  if (field.isEmpty) return undefined;
  const type = field.get('type');
  const schema = field.json();
  if (type.value !== 'object') type.change('The arguments of a tool are an object');
  return schema && { ...withholdValues(schema, field), type: 'object' };
}

/** A place that calls are transferred to, and when. */
export interface DraftDestination {
  field: Field;
  to: string | undefined;
  when: string | undefined;
}

/** Reads a phone number or a SIP address. */
export function readAddress(field: Field, kind: 'tel' | 'sip'): string | undefined {
  const text = field.isEmpty ? undefined : field.text()?.trim();
  if (!text) return undefined;
  if (/\{\{/.test(text)) {
    field.lose('A destination is no template');
    return undefined;
  }
  if (kind === 'tel' && /^\d/.test(text))
    field.change('The number has no + and no country code: add them if your telephony needs them');
  return /^(?:tel|sips?):/i.test(text) ? text : `${kind}:${text.replace(kind === 'tel' ? /[\s()-]/g : '', '')}`;
}

/** Adds a tool that transfers calls. */
export function addTransferTool(
  draft: Draft,
  {
    field,
    name,
    description,
    say,
    destinations,
  }: Omit<DraftTool, 'body'> & {
    name: string | undefined;
    description: string | undefined;
    destinations: DraftDestination[];
  },
): void {
  const known = destinations.flatMap(({ field: one, to, when }) => {
    if (!to) return [];
    const text = when?.trim();
    return [{ to, when: text ? cut(text, maxWhen, one) : 'The caller asks for it.' }];
  });
  if (known.length === 0) {
    field.lose('It has no destination that is a number or a SIP address');
    return;
  }
  draft.addTool({
    field,
    ...(say ? { say } : {}),
    body: {
      type: 'transfer',
      name: name ?? 'transfer_call',
      description: description ?? 'Transfers the call.',
      destinations: known,
    },
  });
}
