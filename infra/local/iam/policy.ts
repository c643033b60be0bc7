/** The access that a request needs, in IAM terms. */
export interface AccessRequest {
  action: string;
  resource: string;
  /** Values of each condition key. */
  context: Record<string, string[]>;
}

type OneOrMany = string | string[];

/** A policy statement with its references resolved. */
export interface Statement {
  Effect: string;
  Action: OneOrMany;
  Resource: OneOrMany;
  Condition?: Record<string, Record<string, OneOrMany>>;
}

/** A pattern of partition keys in a statement's condition. All permissions of the statement share it. */
export interface KeyPattern {
  /** Description for reports, unique within the function. */
  text: string;
  matches(key: string): boolean;
}

/** One action of a statement on one of its resources. */
export interface Permission {
  /** Description for reports, unique within the function. */
  text: string;
  /** False for a `Deny` statement. */
  allows: boolean;
  covers(request: AccessRequest): boolean;
  /** Partition key patterns that limit it. */
  keyPatterns: KeyPattern[];
}

type ContextTest = (context: AccessRequest['context']) => boolean;

/** Actions that the proxies recognize. They refuse all other requests, because no policy may name another action. */
const knownActions = new Set([
  ...['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem', 'Query', 'BatchGetItem'].map(
    (name) => `dynamodb:${name}`,
  ),
  ...['GetObject', 'PutObject', 'DeleteObject', 'ListBucket'].map((name) => `s3:${name}`),
  ...['Encrypt', 'Decrypt'].map((name) => `kms:${name}`),
  'sqs:SendMessage',
  'events:PutEvents',
]);

/** Actions that no function performs itself on this machine: the host writes the logs, and polls the queues and streams. */
const hostActions =
  /^(logs:|sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes)$|dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)$)/;

const knownConditionKeys =
  /^(dynamodb:LeadingKeys|dynamodb:Attributes|kms:EncryptionContext:\w+|kms:EncryptionContextKeys|s3:prefix)$/;

/** Condition key for the partition keys that a request names. */
export const leadingKeysConditionKey = 'dynamodb:LeadingKeys';

const createUnsupportedError = (what: string) => new Error(`The local host does not support ${what} in a policy`);

/** Compiles an IAM pattern. `*` matches any text, `?` any character. */
function compilePattern(pattern: string): (text: string) => boolean {
  if (pattern.includes('$')) throw createUnsupportedError(pattern);
  const source = pattern
    .replace(/[.+^{}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 's');
  return (text) => expression.test(text);
}

/**
 * Compiles a condition on one key. As in IAM, `ForAllValues` is true if the key has no values, so policies combine it with `Null`.
 */
function compileCondition(operator: string, key: string, wanted: string[]): ContextTest {
  if (!knownConditionKeys.test(key)) throw createUnsupportedError(key);
  if (operator === 'Null' && wanted.every((value) => value === 'true' || value === 'false'))
    return (context) => wanted.includes(context[key] ? 'false' : 'true');
  if (operator === 'ForAllValues:StringEquals')
    return (context) => (context[key] ?? []).every((value) => wanted.includes(value));
  const patterns = wanted.map(compilePattern);
  if (operator === 'StringLike' && key === 's3:prefix')
    return (context) => (context[key] ?? []).some((value) => patterns.some((matches) => matches(value)));
  if (operator !== 'ForAllValues:StringLike') throw createUnsupportedError(`${operator} ${wanted}`);
  return (context) => (context[key] ?? []).every((value) => patterns.some((matches) => matches(value)));
}

/** Returns a statement without the actions of the host. Undefined if it has no others. */
export function dropHostActions(statement: Statement): Statement | undefined {
  const Action = [statement.Action].flat().filter((action) => !hostActions.test(action));
  return Action.length > 0 ? { ...statement, Action } : undefined;
}

/** Parses a statement. Throws on anything that the local host cannot evaluate, so that it never allows more or less than AWS. */
function parseStatement({ Effect, Action, Resource, Condition = {}, ...others }: Statement): Permission[] {
  for (const name of Object.keys(others)) if (name !== 'Sid') throw createUnsupportedError(name);
  if (Effect !== 'Allow' && Effect !== 'Deny') throw createUnsupportedError(Effect);
  const named = [Action].flat();
  for (const action of named) if (!knownActions.has(action)) throw createUnsupportedError(action);
  const conditions = Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, wanted]) => {
      // The proxies list the attributes of updates only.
      if (key === 'dynamodb:Attributes' && named.some((action) => action !== 'dynamodb:UpdateItem'))
        throw createUnsupportedError(`${key} of ${named}`);
      return compileCondition(operator, key, [wanted].flat());
    }),
  );
  const keys = [Condition['ForAllValues:StringLike']?.[leadingKeysConditionKey] ?? []].flat();
  const keyPatterns = keys.map(
    (pattern): KeyPattern => ({ text: `${Effect} ${named} on rows of ${pattern}`, matches: compilePattern(pattern) }),
  );
  const suffix = conditions.length > 0 ? ` if ${JSON.stringify(Condition)}` : '';
  return [Resource].flat().flatMap((pattern) => {
    const covers = compilePattern(pattern);
    return named.map((action) => ({
      text: `${Effect} ${action} on ${pattern}${suffix}`,
      allows: Effect === 'Allow',
      keyPatterns,
      covers: (request: AccessRequest) =>
        request.action === action && covers(request.resource) && conditions.every((holds) => holds(request.context)),
    }));
  });
}

/** Returns the permissions in the statements of a role. */
export const toPermissions = (statements: Statement[]): Permission[] => statements.flatMap(parseStatement);

/** Returns the permissions that allow a request. The list is empty if none does, or if one denies it. */
export function listAllowingPermissions(permissions: Permission[], request: AccessRequest): Permission[] {
  const covering = permissions.filter((permission) => permission.covers(request));
  return covering.every(({ allows }) => allows) ? covering : [];
}
