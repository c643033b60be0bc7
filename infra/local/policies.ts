import { isHeeded, type Right, rightsOf, type Statement } from './gate.ts';
import { type Assembly, expectOnly } from './template.ts';

interface RoleProperties {
  Policies?: { PolicyDocument: { Statement: Statement[] } }[];
}

/** What is granted to a function. */
export interface Grants {
  /** The function's name in the templates, and its route's id. */
  functionName: string;
  description: string;
  /** Who it is to AWS, as refusals say. */
  user: string;
  rights: Right[];
}

/** Ways to grant that the gate does not look at, and so must not be in use. */
const others = ['AWS::IAM::Policy', 'AWS::IAM::RolePolicy', 'AWS::IAM::ManagedPolicy'];

/** What the templates grant to each function: by the inline policies of its role. Throws where they grant in another way. */
export function grantsOf(assembly: Assembly): Grants[] {
  for (const type of others)
    if (assembly.resources(type).length > 0) throw new Error(`The local host does not know ${type}`);
  const roles = new Map(
    assembly
      .resources('AWS::IAM::Role')
      .map((role) => [assembly.value({ 'Fn::GetAtt': [role.id, 'Arn'] }, role.stack), role]),
  );
  return assembly.functions().map(({ stack, Properties }) => {
    const { FunctionName, Description, Role } = Properties;
    const arn = assembly.value(Role, stack);
    const role = roles.get(arn);
    if (role) expectOnly(['AssumeRolePolicyDocument', 'Policies', 'Tags'], role.Properties);
    const { Policies = [] } = (role?.Properties ?? {}) as RoleProperties;
    const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).filter(isHeeded);
    return {
      functionName: String(FunctionName),
      description: String(Description),
      user: `${String(arn).replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/${FunctionName}`,
      rights: rightsOf(statements.map((statement) => assembly.value(statement, stack) as Statement)),
    };
  });
}
