import { type Assembly, arnOf, expectOnly, type Physical } from './template.ts';

/** The version of each function here: a template publishes one, and older ones are not kept. */
export const onlyVersion = '1';

/** The ARN of a function by its name; of its alias by `name:alias`. */
export const functionArn = (name: unknown) => arnOf('lambda', `function:${name}`);

/** What stands here in the place of functions, their versions and aliases. */
export const lambda: Record<string, Physical> = {
  'AWS::Lambda::Function': ({ Properties }) => ({
    Ref: String(Properties.FunctionName),
    Arn: functionArn(Properties.FunctionName),
  }),
  'AWS::Lambda::Version': ({ Properties }, value) => ({
    Ref: `${functionArn(value(Properties.FunctionName))}:${onlyVersion}`,
    Version: onlyVersion,
  }),
  'AWS::Lambda::Alias': ({ Properties }, value) => ({
    Ref: `${functionArn(value(Properties.FunctionName))}:${Properties.Name}`,
  }),
};

/** The value of each resource of a type: its reference, and its properties. */
const valuesOf = (assembly: Assembly, type: string) =>
  assembly.resources(type).map(({ id, stack, Properties }) => ({
    arn: String(assembly.value({ Ref: id }, stack)),
    properties: assembly.value(Properties, stack) as Record<string, unknown>,
  }));

/**
 * The names of the functions that are released, by the ARN under which they are called: that of an alias, which leads to a
 * version, which is one of a function. Throws where an alias leads elsewhere, or to several versions.
 */
export function releasedFunctions(assembly: Assembly): Map<string, string> {
  const versions = new Map(
    valuesOf(assembly, 'AWS::Lambda::Version').map(({ arn, properties }) => {
      expectOnly(['FunctionName', 'Description'], properties);
      return [arn, String(properties.FunctionName)];
    }),
  );
  return new Map(
    valuesOf(assembly, 'AWS::Lambda::Alias').map(({ arn, properties }) => {
      expectOnly(['FunctionName', 'FunctionVersion', 'Name'], properties);
      const { FunctionVersion: version, Name: alias } = properties;
      const functionName = versions.get(arn.replace(new RegExp(`:${alias}$`), `:${version}`));
      if (!functionName) throw new Error(`The local host does not know version ${version} of ${arn}`);
      return [arn, functionName];
    }),
  );
}
