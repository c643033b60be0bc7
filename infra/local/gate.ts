/** What a request does, in the words of policies. */
export interface Deed {
  action: string;
  resource: string;
  /** The condition keys that it has, each with its values. */
  context: Record<string, string[]>;
}

type Several = string | string[];

/** A statement of a policy, its references resolved. */
export interface Statement {
  Effect: string;
  Action: Several;
  Resource: Several;
  Condition?: Record<string, Record<string, Several>>;
}

/** A pattern of partition keys in a condition of a statement. All rights of the statement share it. */
export interface KeyPattern {
  /** As a sentence, which tells it from the others of its function. */
  text: string;
  matches(key: string): boolean;
}

/** One action of a statement on one of its resources. */
export interface Right {
  /** As a sentence, which tells it from the others of its function. */
  text: string;
  /** False of a statement that denies. */
  allows: boolean;
  covers(deed: Deed): boolean;
  /** Patterns of partition keys that it is limited to. */
  keyPatterns: KeyPattern[];
}

type Test = (context: Deed['context']) => boolean;

/** The actions that the gate can tell requests to be; it refuses every other request, since no policy may name more. */
const actions = new Set([
  ...['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem', 'Query', 'BatchGetItem'].map(
    (name) => `dynamodb:${name}`,
  ),
  ...['GetObject', 'PutObject', 'DeleteObject', 'ListBucket'].map((name) => `s3:${name}`),
  ...['Encrypt', 'Decrypt'].map((name) => `kms:${name}`),
  'sqs:SendMessage',
]);

/** What no function asks for by itself here: the host keeps its log, and delivers its messages. */
const elsewhere = /^(logs:|sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes)$)/;

const conditionKeys =
  /^(dynamodb:LeadingKeys|dynamodb:Attributes|kms:EncryptionContext:\w+|kms:EncryptionContextKeys)$/;

/** The condition key of the partition keys that a request names. */
export const leadingKeys = 'dynamodb:LeadingKeys';

const unknown = (what: string) => new Error(`The local host does not know ${what} in a policy`);

/** Whether a text is like a pattern, in which `*` stands for any text and `?` for any letter. */
function like(pattern: string): (text: string) => boolean {
  if (pattern.includes('$')) throw unknown(pattern);
  const source = pattern
    .replace(/[.+^{}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 's');
  return (text) => expression.test(text);
}

/** A condition on one key. One on all values holds where there are none, which is why Null stands beside it. */
function condition(operator: string, key: string, wanted: string[]): Test {
  if (!conditionKeys.test(key)) throw unknown(key);
  if (operator === 'Null' && wanted.every((value) => value === 'true' || value === 'false'))
    return (context) => wanted.includes(context[key] ? 'false' : 'true');
  if (operator === 'ForAllValues:StringEquals')
    return (context) => (context[key] ?? []).every((value) => wanted.includes(value));
  if (operator !== 'ForAllValues:StringLike') throw unknown(`${operator} ${wanted}`);
  const patterns = wanted.map(like);
  return (context) => (context[key] ?? []).every((value) => patterns.some((matches) => matches(value)));
}

/** Whether the gate looks at a statement. */
export const isHeeded = ({ Action }: Statement): boolean => ![Action].flat().every((action) => elsewhere.test(action));

/** The rights of a statement. Throws where it has anything that is not known here: else it would say more or less here. */
function rightsOfOne({ Effect, Action, Resource, Condition = {}, ...others }: Statement): Right[] {
  for (const name of Object.keys(others)) if (name !== 'Sid') throw unknown(name);
  if (Effect !== 'Allow' && Effect !== 'Deny') throw unknown(Effect);
  const named = [Action].flat();
  for (const action of named) if (!actions.has(action)) throw unknown(action);
  const conditions = Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, wanted]) => {
      // Of other requests the gate does not tell all attributes.
      if (key === 'dynamodb:Attributes' && named.some((action) => action !== 'dynamodb:UpdateItem'))
        throw unknown(`${key} of ${named}`);
      return condition(operator, key, [wanted].flat());
    }),
  );
  const keys = [Condition['ForAllValues:StringLike']?.[leadingKeys] ?? []].flat();
  const keyPatterns = keys.map(
    (pattern): KeyPattern => ({ text: `${Effect} ${named} on rows of ${pattern}`, matches: like(pattern) }),
  );
  const suffix = conditions.length > 0 ? ` if ${JSON.stringify(Condition)}` : '';
  return [Resource].flat().flatMap((pattern) => {
    const covers = like(pattern);
    return named.map((action) => ({
      text: `${Effect} ${action} on ${pattern}${suffix}`,
      allows: Effect === 'Allow',
      keyPatterns,
      covers: (deed: Deed) =>
        deed.action === action && covers(deed.resource) && conditions.every((holds) => holds(deed.context)),
    }));
  });
}

/** The rights that the statements of a role give. */
export const rightsOf = (statements: Statement[]): Right[] => statements.flatMap(rightsOfOne);

/** The rights that allow a deed: none where nothing allows it, or something denies it. */
export function allowing(rights: Right[], deed: Deed): Right[] {
  const covering = rights.filter((right) => right.covers(deed));
  return covering.every(({ allows }) => allows) ? covering : [];
}
