/** What other functions of CloudFormation compute stays as it is written. */
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A template's value with its references as text: `${Table.Arn}`. What is no reference stays as it is. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const { Ref, 'Fn::Sub': substituted, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = value as Record<string, unknown>;
  if (typeof Ref === 'string') return `\${${Ref}}`;
  if (typeof substituted === 'string') return substituted;
  if (Array.isArray(attribute)) return `\${${attribute.join('.')}}`;
  if (Array.isArray(joined)) return joined[1].map(plain).map(text).join(joined[0]);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** The value in lines, as YAML has it; lists of single values on one. */
function lines(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return [`[${value.join(', ')}]`];
    return value.flatMap((item) => lines(item).map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`)));
  }
  return Object.entries(value).flatMap(([key, inner]) => {
    const [first = '{}', ...others] = lines(inner);
    const isNested = typeof inner === 'object' && inner !== null && !first.startsWith('[');
    return isNested ? [`${key}:`, ...[first, ...others].map((line) => `  ${line}`)] : [`${key}: ${first}`];
  });
}

interface Part {
  Properties?: { Tags?: unknown };
  Metadata?: unknown;
}

/** A resource without what all have, or an output. */
function essence({ Properties: { Tags: _, ...properties } = {}, Metadata: __, ...rest }: Part): object {
  return { ...rest, ...properties };
}

/**
 * A template for people, in the order of its logical ids: references are written short, hashes of assets and of the deployment
 * are masked, and tags, which all have, are left out. It cannot be deployed.
 */
export function readable({ Resources, Outputs }: Record<string, Record<string, Part>>): string {
  const parts = Object.entries({ ...Resources, ...Outputs }).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const told = parts.map(([id, part]) => lines(plain({ [id]: essence(part) })).join('\n'));
  return `${told.join('\n\n').replace(/[0-9a-f]{32,}/g, '…')}\n`;
}
