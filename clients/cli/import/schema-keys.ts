import { isKeyLike, isSecretName } from './secrets.ts';
import { type Field, isRecord } from './source.ts';

/** Keywords of a JSON Schema that hold values of an argument, with those that only some platforms have. */
const valueKeywords = ['const', 'default', 'enum', 'example', 'examples', 'constant_value', 'value'];

/** Keywords of a JSON Schema that hold schemas by name. */
const namedKeywords = ['properties', 'patternProperties', '$defs', 'definitions'];

/** True if a value of an argument holds a key, or anything at all where the argument is named as a key is. */
function holdsKey(value: unknown, isSecret: boolean): boolean {
  if (typeof value === 'string') return value !== '' && (isSecret || isKeyLike(value));
  if (typeof value === 'number') return isSecret;
  if (Array.isArray(value)) return value.some((one) => holdsKey(one, isSecret));
  return isRecord(value) && Object.entries(value).some(([name, one]) => holdsKey(one, isSecret || isSecretName(name)));
}

/** Returns a JSON Schema without the values that are keys, each with a warning. The field is the schema in the document. */
export function withholdValues(
  schema: Record<string, unknown>,
  field: Field,
  isSecret = false,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      const inside = field.get(keyword);
      if (valueKeywords.includes(keyword)) {
        if (!holdsKey(inside.value, isSecret)) return [[keyword, value]];
        inside.withhold('A key is not imported: let your API take it in a header');
        return [];
      }
      if (!namedKeywords.includes(keyword) || !isRecord(value))
        return [[keyword, withholdInside(value, inside, isSecret)]];
      const named = Object.entries(value).map(([name, one]): [string, unknown] => [
        name,
        withholdInside(one, inside.get(name), isSecret || isSecretName(name)),
      ]);
      return [[keyword, Object.fromEntries(named)]];
    }),
  );
}

/** Withholds keys in a schema, or in each of a list. */
function withholdInside(value: unknown, field: Field, isSecret: boolean): unknown {
  if (Array.isArray(value)) {
    const fields = field.items();
    return value.map((one, i) => {
      const inside = fields[i];
      return inside ? withholdInside(one, inside, isSecret) : one;
    });
  }
  return isRecord(value) ? withholdValues(value, field, isSecret) : value;
}
