import { type Fault, Invalid } from '../../errors.ts';
import type { Tool, Variables } from '../../schemas/tool.ts';
import type { StoredAssistant } from '../assistant.ts';
import { buildScope, type CallValues, noValues, type Scope } from './scope.ts';
import { createTemplateBudget, render, type TemplateBudget, TemplateError } from './template.ts';

const isGiven = (variables: Record<string, string>, name: string) => Object.hasOwn(variables, name);

/** Throws Invalid with all required variables that a call does not have. */
export function checkVariables(declared: Variables | null, { variables }: CallValues): void {
  const faults = Object.entries(declared ?? {})
    .filter(([name, { required }]) => required && !isGiven(variables, name))
    .map(([name]): Fault => ({ loc: ['body', 'variables', name], msg: 'Field required', type: 'missing' }));
  if (faults.length > 0) throw new Invalid(faults);
}

/** Lists the variables without a value, neither of the call nor by default. */
export const listMissing = (declared: Variables | null, { variables }: CallValues): string[] =>
  Object.entries(declared ?? {})
    .filter(([name, { default: usual }]) => usual === null && !isGiven(variables, name))
    .map(([name]) => name);

/** Texts of an assistant and its tools, rendered for a call. */
export interface RenderedTexts {
  system_instruction: string;
  first_message: string | null;
  tools: Tool[];
}

type Texts = Record<string, string | null>;

async function renderAll<T extends Texts>(texts: T, scope: Scope, budget: TemplateBudget): Promise<T> {
  const rendered: Texts = {};
  for (const [name, text] of Object.entries(texts)) rendered[name] = text && (await render(text, scope, budget));
  return rendered as T;
}

async function renderTool<T extends Tool>(tool: T, scope: Scope, budget: TemplateBudget): Promise<T> {
  const say = await renderAll(tool.say, scope, budget);
  if (tool.type !== 'http') return { ...tool, say };
  const query = await renderAll(tool.http.query, scope, budget);
  const headers = await renderAll(tool.http.headers, scope, budget);
  return { ...tool, say, http: { ...tool.http, query, headers } };
}

/** Renders all texts of an assistant, if it has variables. Throws TemplateError. */
async function renderTexts(assistant: StoredAssistant, tools: Tool[], values: CallValues): Promise<RenderedTexts> {
  const { system_instruction, first_message } = assistant;
  if (!assistant.variables) return { system_instruction, first_message, tools };
  const scope = buildScope(assistant, values);
  const budget = createTemplateBudget();
  const texts = await renderAll({ system_instruction, first_message }, scope, budget);
  const rendered: Tool[] = [];
  for (const tool of tools) rendered.push(await renderTool(tool, scope, budget));
  return { ...texts, tools: rendered };
}

/** Renders the texts of an assistant with the defaults of its variables. Undefined if they cannot be rendered: no call is lost to a text. */
export async function renderDefaults(assistant: StoredAssistant, tools: Tool[]): Promise<RenderedTexts | undefined> {
  try {
    return await renderTexts(assistant, tools, noValues);
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

/** Throws the error of a template as the fault of a request. */
function throwInvalid(error: unknown): never {
  if (!(error instanceof TemplateError)) throw error;
  const msg = `A text of this assistant cannot be rendered: ${error.message}`;
  throw new Invalid([{ loc: ['body', 'variables'], msg, type: 'template_error' }]);
}

/** Renders the texts of an assistant for a call. Throws Invalid if they cannot be rendered. */
export const renderForCall = (assistant: StoredAssistant, tools: Tool[], values: CallValues): Promise<RenderedTexts> =>
  renderTexts(assistant, tools, values).catch(throwInvalid);

/** Renders the texts of one tool for a call. Throws Invalid if they cannot be rendered. */
export const renderToolForCall = async <T extends Tool>(
  assistant: StoredAssistant,
  tool: T,
  values: CallValues,
): Promise<T> =>
  assistant.variables
    ? renderTool(tool, buildScope(assistant, values), createTemplateBudget()).catch(throwInvalid)
    : tool;
