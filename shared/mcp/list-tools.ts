import { Invalid } from '../errors.ts';
import { getGroup, type Tool } from './tool.ts';
import derived from './tools.json' with { type: 'json' };

export const { version } = derived;
const tools = derived.tools as object[] as Tool[];

/** Returns the tools of some groups, separated by commas, or all. Throws Invalid if there is no such group. */
export function listTools(groups?: string): Tool[] {
  if (groups === undefined) return tools;
  const wanted = groups.split(',');
  const known = [...new Set(tools.map(getGroup))];
  if (wanted.some((group) => !known.includes(group))) {
    throw new Invalid([
      {
        loc: ['query', 'tools'],
        msg: `There is no such group of tools: name some of ${known.join(', ')}`,
        type: 'tool_group',
      },
    ]);
  }
  return tools.filter((tool) => wanted.includes(getGroup(tool)));
}
