import * as v from 'valibot';

/** A text that passes a test. Messages go after the field's name: "region must be …". */
export const text = (test: RegExp | ((value: string) => boolean), what: string) =>
  v.pipe(
    v.string(what),
    v.check((value) => (test instanceof RegExp ? test.test(value) : test(value)), what),
  );

/** A whole number within bounds, of some unit. */
export function whole(unit: string, min: number, max: number) {
  const what = `must be a whole number of ${unit} from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
  return v.pipe(
    v.number(what),
    v.check((n) => Number.isInteger(n) && n >= min && n <= max, what),
  );
}

/** A yes or no. */
export const flag = v.boolean('must be true or false');
/** An address that is safe to trust. */
export const https = text(/^https:\/\/[^\s/]/, 'must be an https address');

/** A name to be served under. */
export const Domain = v.strictObject({
  name: text(
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/,
    'must be a host name in small letters, as api.example.com',
  ),
  certificateArn: text(/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/\S+$/, "must be a certificate's ARN, from ACM"),
  /** The Route 53 zone that gets a record of the name. Unless set, make it where your DNS is. */
  hostedZoneId: v.optional(text(/^Z[A-Z0-9]+$/, 'must be the id of a Route 53 hosted zone, as Z0123456789ABC')),
});

/** Whether it is an origin as browsers send it, so that comparing texts does. */
export const isOrigin = (origin: string) => /^https?:/.test(origin) && URL.parse(origin)?.origin === origin;

/** A tag's key or value: AWS takes so many characters, of these kinds. */
export const tag = (min: number, max: number) =>
  text(
    new RegExp(`^(?!aws:)[\\p{L}\\p{N}\\p{Z}_.:/=+@-]{${min},${max}}$`, 'u'),
    `must have ${min} to ${max} letters, digits, spaces and _.:/=+@-, and not begin with "aws:"`,
  );
