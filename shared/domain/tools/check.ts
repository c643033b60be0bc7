import { type Fault, Invalid, maxFaults } from '../../errors.ts';
import type { AssistantContent } from '../../schemas/assistant.ts';
import type { StoredAssistant } from '../assistant.ts';
import { listUndeclared } from './scope.ts';
import { createTemplateBudget, listVariables, TemplateError } from './template.ts';
import { findToolFaults } from './tools.ts';

/** Texts of an assistant that may be templates, with their places in a body. */
export function listTemplates({
  system_instruction,
  first_message,
  tools,
}: AssistantContent): [text: string, loc: string[]][] {
  const inTools = tools.flatMap((tool, i): [string | null, string[]][] => {
    const loc = ['body', 'tools', String(i)];
    const said = (['start', 'failure'] as const).map((when): [string | null, string[]] => [
      tool.say[when],
      [...loc, 'say', when],
    ]);
    if (tool.type !== 'http') return said;
    const sent = (['query', 'headers'] as const).flatMap((part) =>
      Object.entries(tool.http[part]).map(([name, text]): [string, string[]] => [text, [...loc, 'http', part, name]]),
    );
    return [...said, ...sent];
  });
  const texts: [string | null, string[]][] = [
    [system_instruction, ['body', 'system_instruction']],
    [first_message, ['body', 'first_message']],
    ...inTools,
  ];
  return texts.filter((one): one is [string, string[]] => one[0] !== null);
}

/**
 * Checks an assistant's tools, and its templates if it has variables. Returns the names that these read and nothing declares.
 * Throws Invalid with the faults that it finds in its time.
 */
export async function checkTools(assistant: StoredAssistant): Promise<string[]> {
  const faults: Fault[] = [...findToolFaults(assistant.tools, assistant.mcp_servers)];
  const budget = createTemplateBudget();
  const names = new Set<string>();
  for (const [text, loc] of assistant.variables ? listTemplates(assistant) : []) {
    try {
      for (const name of await listVariables(text, budget)) names.add(name);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      const msg = `The template cannot be read: ${error.message} (line ${error.line}, column ${error.column})`;
      faults.push({ loc, msg, type: 'template_error' });
      if (faults.length >= maxFaults || budget.ms <= 0) break; // the rest would only be out of time, too
    }
  }
  if (faults.length > 0) throw new Invalid(faults.slice(0, maxFaults));
  return listUndeclared([...names], assistant);
}
