import * as v from 'valibot';
import { findToolFaults } from '../../../shared/domain/tools/tools.ts';
import { findUrlFault } from '../../../shared/outbound/url-rules.ts';
import { maxTextLengths, NewAssistant } from '../../../shared/schemas/assistant.ts';
import { LanguageCode } from '../../../shared/schemas/common.ts';
import { McpServer, TimeZone, Tool } from '../../../shared/schemas/tool.ts';
import type { Field } from './source.ts';
import { hasTags, type TemplateSyntax, Templates } from './templates.ts';

/** Body that creates an assistant. */
export type AssistantBody = v.InferInput<typeof NewAssistant>;

type ToolBody = v.InferInput<typeof Tool>;
type HttpToolBody = Extract<ToolBody, { type: 'http' }>;
type ServerBody = v.InferInput<typeof McpServer>;

/** An agent cannot be imported at all. The message says why. */
export class Refused extends Error {}

/** A text of the source document, which may be a template. */
export interface SourceText {
  text: string;
  field: Field;
}

/** A tool with the texts that may be templates. */
export interface DraftTool {
  field: Field;
  body: ToolBody;
  say?: { start?: SourceText | undefined; failure?: SourceText | undefined };
  query?: [name: string, SourceText][];
  headers?: [name: string, SourceText][];
}

const maxTools = 64;
const maxServers = 16;
const maxAssistantBytes = 300 * 1024;

/** Largest characters and bytes of a prompt. */
const maxPrompt = { characters: maxTextLengths.system_instruction, bytes: 204_800 };

/** An assistant in the making. */
export class Draft {
  readonly templates: Templates;
  readonly #prompt: SourceText[] = [];
  readonly #tools: DraftTool[] = [];
  readonly #servers: { field: Field; body: ServerBody }[] = [];
  name: string;
  description: string | null = null;
  firstMessage: SourceText | null = null;
  readonly voice: Record<string, unknown> = {};
  readonly llm: Record<string, unknown> = {};
  readonly transcriber: Record<string, unknown> = {};
  timezone = 'UTC';

  constructor(syntax: TemplateSyntax, name: string) {
    this.templates = new Templates(syntax);
    this.name = name;
  }

  setName(field: Field): void {
    const text = this.#readLimited(field, maxTextLengths.name)?.trim();
    if (text) this.name = text;
  }

  setDescription(field: Field): void {
    this.description = this.#readLimited(field, maxTextLengths.description) || null;
  }

  /** Adds a paragraph to the prompt. */
  addPrompt(field: Field, lead = ''): void {
    const text = readText(field);
    if (text?.trim()) this.#prompt.push({ text: lead + text, field });
  }

  setFirstMessage(field: Field): void {
    const text = this.#readLimited(field, maxTextLengths.first_message);
    this.firstMessage = text ? { text, field } : null;
  }

  setLanguage(target: Record<string, unknown>, field: Field): void {
    if (field.isEmpty) return;
    const text = field.text();
    if (text === undefined) return;
    if (v.safeParse(LanguageCode, text).success) target.language = text;
    else field.lose('It is no language code, such as en-US');
  }

  setTimezone(field: Field): void {
    if (field.isEmpty) return;
    const text = field.text();
    if (text === undefined) return;
    if (v.safeParse(TimeZone, text).success) this.timezone = text;
    else field.lose('It is no time zone, such as Europe/Berlin');
  }

  /** Takes settings of a vendor over, by their names there and here. */
  setSettings(target: Record<string, unknown>, source: Field, names: Record<string, string>): void {
    for (const [theirs, ours] of Object.entries(names)) {
      const field = source.get(theirs);
      if (field.isEmpty) continue;
      const value = field.scalar();
      if (value !== undefined) target[ours] = value;
    }
  }

  /** Takes a list of words over, such as keywords. */
  setWords(target: Record<string, unknown>, field: Field, name: string): void {
    if (field.isEmpty) return;
    const words = field.items().map((one) => readText(one));
    const read = words.filter((one) => one !== undefined);
    if (read.length > 0) target[name] = read;
  }

  addTool(tool: DraftTool): void {
    if (this.#tools.length < maxTools) this.#tools.push(tool);
    else tool.field.lose(`Assistants have at most ${maxTools} tools`);
  }

  addServer(field: Field, body: ServerBody): void {
    if (this.#servers.length < maxServers) this.#servers.push({ field, body });
    else field.lose(`Assistants have at most ${maxServers} MCP servers`);
  }

  #readLimited(field: Field, max: number): string | undefined {
    if (field.isEmpty) return undefined;
    const text = readText(field);
    if (text === undefined) return undefined;
    const characters = [...text];
    if (characters.length <= max) return text;
    field.change(`It is cut to ${max.toLocaleString('en')} characters`);
    return characters.slice(0, max).join('');
  }

  /** Returns the assistant. Throws Refused if it cannot be one. */
  async build(): Promise<AssistantBody> {
    if (this.#prompt.length === 0) throw new Refused('It has no prompt');
    const isTemplated = this.#listTexts().some(({ text }) => hasTags(text)) || this.templates.variables.size > 0;
    const render = async ({ text, field }: SourceText) => (isTemplated ? this.templates.convert(text, field) : text);
    const prompts: string[] = [];
    for (const text of this.#prompt) prompts.push(await render(text));
    const system_instruction = prompts.join('\n\n');
    checkPrompt(system_instruction);
    const first_message = this.firstMessage && (await render(this.firstMessage));
    const tools: ToolBody[] = [];
    for (const tool of this.#tools) {
      const body = withUniqueName(await renderTool(tool, render), tools, tool.field);
      const fault = findToolFault([...tools, body], body);
      if (fault) tool.field.lose(fault);
      else tools.push(body);
    }
    const mcp_servers = this.#buildServers(tools);
    const { timeZone } = this.templates;
    if (this.timezone === 'UTC' && v.safeParse(TimeZone, timeZone).success) this.timezone = timeZone ?? 'UTC';
    const body: AssistantBody = {
      name: this.name,
      description: this.description,
      system_instruction,
      first_message,
      voice: this.voice,
      llm: this.llm,
      transcriber: this.transcriber,
      variables: isTemplated ? Object.fromEntries(this.templates.variables) : null,
      timezone: this.timezone,
      tools,
      mcp_servers,
    };
    checkAssistant(body);
    return body;
  }

  #buildServers(tools: ToolBody[]): ServerBody[] {
    const servers: ServerBody[] = [];
    for (const { field, body } of this.#servers) {
      const fault = findServerFault(tools, [...servers, body], body);
      if (fault) field.lose(fault);
      else servers.push(body);
    }
    return servers;
  }

  /** Lists all texts that may be templates. */
  #listTexts(): SourceText[] {
    const inTools = this.#tools.flatMap(({ say, query = [], headers = [] }) => [
      ...[say?.start, say?.failure].filter((one) => one !== undefined),
      ...[...query, ...headers].map(([, text]) => text),
    ]);
    return [...this.#prompt, ...(this.firstMessage ? [this.firstMessage] : []), ...inTools];
  }
}

/** Reads a text, if there is one. */
export const readText = (field: Field): string | undefined => (field.isEmpty ? undefined : field.text());

async function renderTool(
  { body, say, query, headers }: DraftTool,
  render: (text: SourceText) => Promise<string>,
): Promise<ToolBody> {
  const said = {
    start: say?.start ? await render(say.start) : null,
    failure: say?.failure ? await render(say.failure) : null,
  };
  if (body.type !== 'http') return { ...body, say: said };
  const renderAll = async (texts: [string, SourceText][] = []) => {
    const rendered: [string, string][] = [];
    for (const [name, text] of texts) rendered.push([name, await render(text)]);
    return Object.fromEntries(rendered);
  };
  const http: HttpToolBody['http'] = { ...body.http, query: await renderAll(query), headers: await renderAll(headers) };
  return { ...body, http, say: said };
}

/** Gives a tool another name if one before it has the same. */
function withUniqueName(body: ToolBody, others: ToolBody[], field: Field): ToolBody {
  const taken = new Set(others.map(({ name }) => name?.toLowerCase()));
  if (!body.name || !taken.has(body.name.toLowerCase())) return body;
  let name = body.name;
  for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${body.name.slice(0, 60)}_${i}`;
  field.change(`Another tool has its name, so it is named ${name}`);
  return { ...body, name };
}

const formatFault = (where: string, message: string) => `${where}: ${message}`;

/** Returns why a tool cannot be among the tools of an assistant, if so. */
function findToolFault(tools: ToolBody[], tool: ToolBody): string | undefined {
  const parsed = v.safeParse(Tool, tool);
  if (!parsed.success) return findIssue(parsed.issues);
  if (parsed.output.type === 'http') {
    const fault = findUrlFault(parsed.output.http.url, []);
    if (fault) return formatFault('http.url', fault.msg);
  }
  const all = v.safeParse(NewAssistant.entries.tools, tools);
  if (!all.success) return findIssue(all.issues);
  const [fault] = findToolFaults(all.output ?? [], []);
  return fault && formatFault(fault.loc.slice(3).join('.'), fault.msg);
}

function findServerFault(tools: ToolBody[], servers: ServerBody[], server: ServerBody): string | undefined {
  const parsed = v.safeParse(McpServer, server);
  if (!parsed.success) return findIssue(parsed.issues);
  const urlFault = findUrlFault(parsed.output.url, []);
  if (urlFault) return formatFault('url', urlFault.msg);
  const all = v.safeParse(NewAssistant.entries.mcp_servers, servers);
  const allTools = v.safeParse(NewAssistant.entries.tools, tools);
  if (!all.success || !allTools.success) return 'Assistants cannot have it in addition';
  const [fault] = findToolFaults(allTools.output ?? [], all.output ?? []);
  return fault && formatFault(fault.loc.slice(3).join('.'), fault.msg);
}

const findIssue = ([issue]: readonly v.BaseIssue<unknown>[]): string =>
  issue ? formatFault((issue.path ?? []).map(({ key }) => String(key)).join('.'), issue.message) : '';

function checkPrompt(text: string): void {
  const isTooLong = [...text].length > maxPrompt.characters || Buffer.byteLength(text) > maxPrompt.bytes;
  if (isTooLong) throw new Refused('Its prompt is longer than 100,000 characters or 200 KB: shorten it');
}

/** Throws Refused if the service would not accept an assistant. */
function checkAssistant(body: AssistantBody): void {
  const parsed = v.safeParse(NewAssistant, body);
  if (!parsed.success) throw new Refused(findIssue(parsed.issues));
  if (Buffer.byteLength(JSON.stringify(parsed.output)) > maxAssistantBytes - 1_024)
    throw new Refused('It is larger than 300 KB in all: shorten its prompt or its tools');
}
