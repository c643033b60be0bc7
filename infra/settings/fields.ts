import * as v from 'valibot';

/** Schema of a string that passes a test. Its message follows the field's name: "region must be …". */
export const text = (test: RegExp | ((value: string) => boolean), message: string) =>
  v.pipe(
    v.string(message),
    v.check((value) => (test instanceof RegExp ? test.test(value) : test(value)), message),
  );

/** Schema of a whole number of a unit, within bounds. */
export function wholeNumber(unit: string, min: number, max: number) {
  const message = `must be a whole number of ${unit} from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
  return v.pipe(
    v.number(message),
    v.check((n) => Number.isInteger(n) && n >= min && n <= max, message),
  );
}

/** Schema of a boolean. */
export const flag = v.boolean('must be true or false');
/** Schema of an https address. */
export const https = text(/^https:\/\/[^\s/]/, 'must be an https address');

/** Schema of a custom domain. */
export const Domain = v.strictObject({
  name: text(
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/,
    'must be a host name in lowercase letters, such as api.example.com',
  ),
  certificateArn: text(/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/\S+$/, 'must be the ARN of an ACM certificate'),
  /** Route 53 zone for the DNS record. Unset, create the record with your own DNS provider. */
  hostedZoneId: v.optional(text(/^Z[A-Z0-9]+$/, 'must be the id of a Route 53 hosted zone, such as Z0123456789ABC')),
});

/** True if the text is an origin exactly as browsers send it, so that string comparison works. */
export const isOrigin = (origin: string) => /^https?:/.test(origin) && URL.parse(origin)?.origin === origin;

/** Schema of a tag's key or value, with the characters that AWS allows. */
export const tag = (min: number, max: number) =>
  text(
    new RegExp(`^(?!aws:)[\\p{L}\\p{N}\\p{Z}_.:/=+@-]{${min},${max}}$`, 'u'),
    `must have ${min} to ${max} letters, digits, spaces and _.:/=+@-, and not start with "aws:"`,
  );
