/** A table in Markdown; columns whose head ends in a colon stand on the right. */
export function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rule = heads.map((head) => (head.endsWith(':') ? '---:' : '---'));
  return [line(heads.map((head) => head.replace(/:$/, ''))), `|${rule.join('|')}|`, ...rows.map(line)].join('\n');
}
