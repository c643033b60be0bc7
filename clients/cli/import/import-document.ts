import { type AssistantBody, Draft, Refused } from './draft.ts';
import { hideKeys } from './secrets.ts';
import { Field, isRecord, type Warning } from './source.ts';
import type { TemplateSyntax } from './templates.ts';

/** Reads the agents of one vendor. */
export interface Importer {
  /** Name of the vendor, and of its agents. */
  vendor: string;
  agent: string;
  syntax: TemplateSyntax;
  /** True if an object looks like an agent of this vendor. */
  isAgent(value: Record<string, unknown>): boolean;
  /** Finds the agents of a document that is neither an agent nor a list of them. */
  findAgents(document: Field): Field[];
  /** Maps an agent. Throws Refused if it cannot be imported. */
  map(agent: Field, draft: Draft): void;
  /** Returns how the agent is called there. */
  getLabel(agent: Record<string, unknown>): unknown;
}

/** An agent, imported or refused. */
export interface ImportedAssistant {
  /** Name or id of the agent in the document. */
  source: string;
  /** Undefined if the agent cannot be imported. */
  assistant: AssistantBody | undefined;
  /** Why the agent cannot be imported. */
  refusal: string | undefined;
  warnings: Warning[];
}

/** Agents of a document, imported or refused. */
export interface ImportResult {
  assistants: ImportedAssistant[];
  /** Warnings about the document outside of its agents. */
  warnings: Warning[];
}

/** A document holds no agent. The message says what to do. */
export class ImportError extends Error {}

/** Fields that only agents of each platform have. */
const signs: Record<string, string[]> = {
  vapi: ['firstMessage', 'firstMessageMode'],
  retell: ['response_engine', 'general_prompt', 'retellLlmData'],
  elevenlabs: ['conversation_config'],
  dograh: ['workflow_definition'],
};

/** Returns the platform that an agent looks like. */
const guessPlatform = (value: Record<string, unknown>): string | undefined =>
  Object.entries(signs).find(([, fields]) => fields.some((field) => field in value))?.[0];

const maxAgents = 500;

/** Imports all agents of a document. Throws ImportError if it holds none. */
export async function importDocument(document: unknown, importer: Importer): Promise<ImportResult> {
  const warnings: Warning[] = [];
  const root = Field.open(document, warnings);
  const agents = findAgents(root, importer);
  const { vendor, agent } = importer;
  if (agents.length === 0) {
    const other = isRecord(document) ? guessPlatform(document) : undefined;
    const hint = other ? `, but looks like one of ${other}: try voice-assistants import ${other}` : '';
    throw new ImportError(`The document holds no ${agent} of ${vendor}${hint}`);
  }
  if (agents.length > maxAgents)
    throw new ImportError(
      `The document holds ${agents.length} agents, and at most ${maxAgents} are imported at once: split it`,
    );
  const assistants: ImportedAssistant[] = [];
  for (const [i, field] of agents.entries()) assistants.push(await importAgent(field, importer, i));
  root.listUnread();
  return { assistants, warnings };
}

function findAgents(root: Field, importer: Importer): Field[] {
  if (Array.isArray(root.value)) return root.items();
  if (!isRecord(root.value))
    throw new ImportError(`Expected an agent of ${importer.vendor} as JSON, or a list of them`);
  return importer.isAgent(root.value) ? [root] : importer.findAgents(root);
}

async function importAgent(field: Field, importer: Importer, i: number): Promise<ImportedAssistant> {
  const warnings: Warning[] = [];
  const { value } = field;
  const label = isRecord(value) ? importer.getLabel(value) : undefined;
  const source =
    typeof label === 'string' && label ? hideKeys(label.toWellFormed()).slice(0, 200) : `${importer.agent} ${i + 1}`;
  const agent = field.detach(warnings);
  const refuse = (refusal: string) => ({ source, assistant: undefined, refusal, warnings: [] });
  if (!isRecord(value)) return refuse('It is no object');
  if (!importer.isAgent(value)) {
    const other = guessPlatform(value);
    const hint = other ? `: try voice-assistants import ${other}` : '';
    return refuse(`It is no ${importer.agent} of ${importer.vendor}${hint}`);
  }
  const draft = new Draft(importer.syntax, source);
  try {
    importer.map(agent, draft);
    const assistant = await draft.build();
    agent.listUnread();
    return { source, assistant, refusal: undefined, warnings };
  } catch (error) {
    if (error instanceof Refused) return refuse(error.message);
    throw error;
  }
}
