/** Converts a value to text. Intrinsic functions other than references stay JSON. */
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Replaces the references in a template's value by text such as `${Table.Arn}`. */
function resolveReferences(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(resolveReferences);
  const { Ref, 'Fn::Sub': substituted, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = value as Record<string, unknown>;
  if (typeof Ref === 'string') return `\${${Ref}}`;
  if (typeof substituted === 'string') return substituted;
  if (Array.isArray(attribute)) return `\${${attribute.join('.')}}`;
  if (Array.isArray(joined)) return joined[1].map(resolveReferences).map(toText).join(joined[0]);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolveReferences(inner)]));
}

/** Formats a value as lines of YAML, with lists of scalars on one line. */
function toLines(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return [`[${value.join(', ')}]`];
    return value.flatMap((item) => toLines(item).map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`)));
  }
  return Object.entries(value).flatMap(([key, inner]) => {
    const [first = '{}', ...others] = toLines(inner);
    const isNested = typeof inner === 'object' && inner !== null && !first.startsWith('[');
    return isNested ? [`${key}:`, ...[first, ...others].map((line) => `  ${line}`)] : [`${key}: ${first}`];
  });
}

interface Part {
  Type?: string;
  Properties?: { Tags?: unknown; Policies?: Policy[] };
  Metadata?: unknown;
}

interface Policy {
  PolicyDocument: { Statement: { Action: string | string[]; Resource: unknown; Condition?: unknown }[] };
}

/** Resources that exist once per endpoint and differ in names only. `stack.test.ts` compares them with the routes. */
const perEndpoint =
  /^AWS::(ApiGateway::(Deployment|GatewayResponse|Method|Resource)|CloudFormation::Stack|Lambda::(Alias|Function|Permission|Version)|Logs::LogGroup)$/;

const toList = (value: string | string[]): string => [value].flat().join(', ');

/** Returns the permissions of a role, one line per statement, except for the function's log group. */
const listPermissions = (policies: Policy[]): string[] =>
  policies
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Action }) => !toList(Action).startsWith('logs:'))
    .map(({ Action, Resource, Condition }) =>
      [
        `${toList(Action)} on ${toText(resolveReferences(Resource))}`,
        ...(Condition ? [`if ${JSON.stringify(Condition)}`] : []),
      ].join(' '),
    );

/** Returns what a reviewer reads of a resource or output. */
function summarize({ Properties: { Tags: _, ...properties } = {}, Metadata: __, ...rest }: Part): object {
  if (rest.Type !== 'AWS::IAM::Role' || !properties.Policies) return { ...rest, ...properties };
  return {
    Type: rest.Type,
    Permissions: Object.fromEntries(listPermissions(properties.Policies).map((line, i) => [i + 1, line])),
  };
}

/**
 * Formats a template for reviewers, sorted by logical id. Leaves out what exists once per endpoint, shortens permissions and
 * references, masks hashes of assets, and omits tags, which all resources share. The result cannot be deployed.
 */
export function toReadable({ Resources, Outputs }: Record<string, Record<string, Part>>): string {
  const parts = Object.entries({ ...Resources, ...Outputs })
    .filter(([, { Type = '' }]) => !perEndpoint.test(Type))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const sections = parts.map(([id, part]) => toLines(resolveReferences({ [id]: summarize(part) })).join('\n'));
  return `${sections.join('\n\n').replace(/[0-9a-f]{32,}/g, '…')}\n`;
}
