import { type Assembly, type AttributeResolver, expectOnly, toArn } from '../template.ts';

/** Version of every function. A template publishes one version, and the local host keeps no older ones. */
export const onlyVersion = '1';

/** Returns the ARN of a function, or of an alias given as `name:alias`. */
export const toFunctionArn = (name: unknown) => toArn('lambda', `function:${name}`);

/** Resolvers for functions, versions and aliases. */
export const lambdaResolvers: Record<string, AttributeResolver> = {
  'AWS::Lambda::Function': ({ Properties }) => ({
    Ref: String(Properties.FunctionName),
    Arn: toFunctionArn(Properties.FunctionName),
  }),
  'AWS::Lambda::Version': ({ Properties }, resolve) => ({
    Ref: `${toFunctionArn(resolve(Properties.FunctionName))}:${onlyVersion}`,
    Version: onlyVersion,
  }),
  'AWS::Lambda::Alias': ({ Properties }, resolve) => ({
    Ref: `${toFunctionArn(resolve(Properties.FunctionName))}:${Properties.Name}`,
  }),
};

/** Returns the ARN and the resolved properties of each resource of a type. */
const resolveAll = (assembly: Assembly, type: string) =>
  assembly.listResources(type).map(({ id, stack, Properties }) => ({
    arn: String(assembly.resolve({ Ref: id }, stack)),
    properties: assembly.resolve(Properties, stack) as Record<string, unknown>,
  }));

/**
 * Returns the function name behind each alias, by the alias's ARN. Throws if an alias names an unknown version, or more than one.
 */
export function resolveAliases(assembly: Assembly): Map<string, string> {
  const versions = new Map(
    resolveAll(assembly, 'AWS::Lambda::Version').map(({ arn, properties }) => {
      expectOnly(['FunctionName', 'Description'], properties);
      return [arn, String(properties.FunctionName)];
    }),
  );
  return new Map(
    resolveAll(assembly, 'AWS::Lambda::Alias').map(({ arn, properties }) => {
      expectOnly(['FunctionName', 'FunctionVersion', 'Name'], properties);
      const { FunctionVersion: version, Name: alias } = properties;
      const functionName = versions.get(arn.replace(new RegExp(`:${alias}$`), `:${version}`));
      if (!functionName) throw new Error(`The templates have no version ${version} for the alias ${arn}`);
      return [arn, functionName];
    }),
  );
}
