import type { BucketConfig } from './emulators/s3/s3.ts';
import type { Assembly, AttributeResolver, Resource } from './template.ts';

interface CorsRule {
  AllowedOrigins: string[];
  AllowedMethods: string[];
  AllowedHeaders: string[];
}

/** Placeholder for the console's domain. CORS rules replace it by `localOrigins`, because the API's own port serves the console. */
const consoleDomain = 'console.invalid';
const localOrigins = ['http://127.0.0.1:*', 'http://localhost:*'];

/** Resolver for the distribution of the console. */
export const cloudFrontResolvers: Record<string, AttributeResolver> = {
  'AWS::CloudFront::Distribution': () => ({ DomainName: consoleDomain }),
};

export const toBucketName = ({ stack, id }: Pick<Resource, 'stack' | 'id'>): string => `${stack}-${id}`.toLowerCase();

/** Returns the CORS configuration of a bucket, in the XML of S3's API. */
function buildCorsConfig(rules: CorsRule[]): string {
  const toTags = (tag: string, values: string[]) => values.map((value) => `<${tag}>${value}</${tag}>`).join('');
  const tags = rules.map(({ AllowedOrigins, AllowedMethods, AllowedHeaders }) => {
    const origins = AllowedOrigins.flatMap((origin) =>
      origin === `https://${consoleDomain}` ? localOrigins : [origin],
    );
    return [
      toTags('AllowedOrigin', origins),
      toTags('AllowedMethod', AllowedMethods),
      toTags('AllowedHeader', AllowedHeaders),
    ];
  });
  return `<CORSConfiguration>${toTags(
    'CORSRule',
    tags.map((rule) => rule.join('')),
  )}</CORSConfiguration>`;
}

/** Lists the buckets of the templates. */
export const listBuckets = (assembly: Assembly): BucketConfig[] =>
  assembly.listResources('AWS::S3::Bucket').map((bucket) => {
    const { CorsConfiguration } = bucket.Properties as { CorsConfiguration?: { CorsRules: unknown } };
    const rules = assembly.resolve(CorsConfiguration?.CorsRules ?? [], bucket.stack) as CorsRule[];
    return { name: toBucketName(bucket), configs: rules.length > 0 ? [buildCorsConfig(rules)] : [] };
  });
