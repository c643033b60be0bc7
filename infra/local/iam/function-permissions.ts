import { type Assembly, expectOnly } from '../template.ts';
import { dropHostActions, type Permission, type Statement, toPermissions } from './policy.ts';

interface RoleProperties {
  Policies?: { PolicyDocument: { Statement: Statement[] } }[];
}

/** The permissions of a function's role. */
export interface FunctionPermissions {
  functionName: string;
  /** The route's id. */
  description: string;
  /** ARN of the assumed role, as in AWS error messages. */
  user: string;
  permissions: Permission[];
}

/** Policy types that the proxies do not evaluate, so no template may use them. */
const unsupportedTypes = ['AWS::IAM::Policy', 'AWS::IAM::RolePolicy', 'AWS::IAM::ManagedPolicy'];

/** Lists the permissions of each function, from the inline policies of its role. Throws on other kinds of policies. */
export function listFunctionPermissions(assembly: Assembly): FunctionPermissions[] {
  for (const type of unsupportedTypes)
    if (assembly.listResources(type).length > 0) throw new Error(`The local host does not support ${type}`);
  const roles = new Map(
    assembly
      .listResources('AWS::IAM::Role')
      .map((role) => [assembly.resolve({ 'Fn::GetAtt': [role.id, 'Arn'] }, role.stack), role]),
  );
  return assembly.listFunctions().map(({ stack, Properties }) => {
    const { FunctionName, Description, Role } = Properties;
    const arn = assembly.resolve(Role, stack);
    const role = roles.get(arn);
    if (role) expectOnly(['AssumeRolePolicyDocument', 'Policies', 'Tags'], role.Properties);
    const { Policies = [] } = (role?.Properties ?? {}) as RoleProperties;
    const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .map(dropHostActions)
      .filter((statement) => statement !== undefined);
    return {
      functionName: String(FunctionName),
      description: String(Description),
      user: `${String(arn).replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/${FunctionName}`,
      permissions: toPermissions(statements.map((statement) => assembly.resolve(statement, stack) as Statement)),
    };
  });
}
