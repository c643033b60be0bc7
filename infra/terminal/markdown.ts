/** Returns a Markdown table. A head with a final colon aligns its column right. */
export function formatTable(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rule = heads.map((head) => (head.endsWith(':') ? '---:' : '---'));
  return [line(heads.map((head) => head.replace(/:$/, ''))), `|${rule.join('|')}|`, ...rows.map(line)].join('\n');
}
