import type { BucketConfig } from './emulators/s3.ts';
import type { Assembly, Physical, Resource } from './template.ts';

interface CorsRule {
  AllowedOrigins: string[];
  AllowedMethods: string[];
  AllowedHeaders: string[];
}

/** What the deployed console's origin has here instead: that of the API, by whatever port and name of this machine. */
const consoleName = 'console.invalid';
const ownOrigins = ['http://127.0.0.1:*', 'http://localhost:*'];

/** What stands here in the place of a distribution: the console is served beside the API. */
export const cloudFront: Record<string, Physical> = {
  'AWS::CloudFront::Distribution': () => ({ DomainName: consoleName }),
};

/** A bucket's name on this machine. */
export const bucketName = ({ stack, id }: Pick<Resource, 'stack' | 'id'>): string => `${stack}-${id}`.toLowerCase();

/** Which pages may send forms to a bucket. */
function corsOf(rules: CorsRule[]): string {
  const each = (tag: string, values: string[]) => values.map((value) => `<${tag}>${value}</${tag}>`).join('');
  const written = rules.map(({ AllowedOrigins, AllowedMethods, AllowedHeaders }) => {
    const origins = AllowedOrigins.flatMap((origin) => (origin === `https://${consoleName}` ? ownOrigins : [origin]));
    return [
      each('AllowedOrigin', origins),
      each('AllowedMethod', AllowedMethods),
      each('AllowedHeader', AllowedHeaders),
    ];
  });
  return `<CORSConfiguration>${each(
    'CORSRule',
    written.map((rule) => rule.join('')),
  )}</CORSConfiguration>`;
}

/** The buckets of the templates. */
export const bucketsOf = (assembly: Assembly): BucketConfig[] =>
  assembly.resources('AWS::S3::Bucket').map((bucket) => {
    const { CorsConfiguration } = bucket.Properties as { CorsConfiguration?: { CorsRules: unknown } };
    const rules = assembly.value(CorsConfiguration?.CorsRules ?? [], bucket.stack) as CorsRule[];
    return { name: bucketName(bucket), configs: rules.length > 0 ? [corsOf(rules)] : [] };
  });
