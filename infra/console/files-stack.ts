import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestedStack, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import {
  BucketDeployment,
  type BucketDeploymentProps,
  CacheControl,
  type ISource,
  Source,
} from 'aws-cdk-lib/aws-s3-deployment';
import type { Construct } from 'constructs';
import type { ApiStack } from '../api.ts';
import { acceptPrefix } from '../review.ts';
import type { Settings } from '../settings.ts';
import type { Storage } from '../storage.ts';
import { caching, documentAt } from './headers.ts';
import { consolePath, openApiAt, type Places } from './places.ts';
import type { ConsoleStack } from './stack.ts';

const folderInBucket = consolePath.slice(1, -1);

interface ConsoleFilesProps {
  settings: Settings;
  site: ConsoleStack;
  /** Where the built console is. */
  folder: string;
  storage: Storage;
  api: ApiStack;
}

/** Where the console of a deployment runs. Throws where its issuer signs nobody in. */
function placesOf({ issuer: { issuer, signIn }, bucket }: Storage, api: ApiStack): Places {
  if (!signIn) throw new Error('The issuer was made without a console');
  const { connect, ...client } = signIn;
  return {
    config: { api: api.url.replace(/\/$/, ''), issuer, ...client },
    connect: [...connect, `https://${bucket.bucketRegionalDomainName}`],
  };
}

/** What AWS's function that unpacks assets into a bucket needs, and nothing more: the construct would grant far more itself. */
function unpacker(scope: Construct, logGroup: LogGroup, bucket: Bucket) {
  const needs = new PolicyDocument();
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { needs },
  });
  const grant = (action: string, ...resources: string[]) =>
    needs.addStatements(new PolicyStatement({ actions: [action], resources }));
  grant('logs:CreateLogStream', logGroup.logGroupArn);
  grant('logs:PutLogEvents', logGroup.logGroupArn);
  grant('s3:ListBucket', bucket.bucketArn);
  grant('s3:PutObject', bucket.arnForObjects(`${folderInBucket}/*`));
  const handlerRole = role.withoutPolicyUpdates();
  /** A source that the function may read. */
  const readable = (source: ISource): ISource => {
    const bound = source.bind(scope, { handlerRole });
    grant('s3:GetObject', bound.bucket.arnForObjects(bound.zipObjectKey));
    return { bind: () => bound };
  };
  return { role: handlerRole, readable };
}

/**
 * What is in the console's bucket: the build, the same for every environment, and what tells it where it runs. Files with hashed
 * names stay when others take their place, for pages that are open. Nothing needs to be invalidated: CloudFront asks S3 for
 * each of the others again.
 */
export class ConsoleFilesStack extends NestedStack {
  constructor(scope: Construct, id: string, { settings, site, folder, storage, api }: ConsoleFilesProps) {
    super(scope, id);
    acceptPrefix(this, site.bucket, `${folderInBucket}/*`);
    const logGroup = new LogGroup(this, 'Log', {
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { role, readable } = unpacker(this, logGroup, site.bucket);
    const put = (
      id: string,
      cacheControl: string,
      props: Pick<BucketDeploymentProps, 'sources' | 'include' | 'exclude'>,
    ) =>
      new BucketDeployment(this, id, {
        ...props,
        destinationBucket: site.bucket,
        destinationKeyPrefix: folderInBucket,
        cacheControl: [CacheControl.fromString(cacheControl)],
        prune: false,
        role,
        logGroup,
      });

    const places = placesOf(storage, api);
    const build = readable(Source.asset(folder, { exclude: ['.*'] }));
    const config = readable(Source.jsonData('config.json', places.config));
    const builtFile = (path: string) => readFileSync(join(folder, path), 'utf8');
    const page = (path: string) => readable(Source.data(path, documentAt(places, builtFile(path))));
    const openApi = readable(Source.jsonData('openapi.json', openApiAt(places, builtFile('openapi.json'))));

    const hashed = put('Hashed', caching.hashed, { sources: [build], exclude: ['*'], include: ['assets/*'] });
    const told = put('Config', caching.config, { sources: [config] });
    const named = put('Named', caching.named, {
      sources: [build, openApi, page('docs/index.html'), page('index.html')],
      exclude: ['assets/*'],
    });
    // The pages come last: what they name is there by then.
    named.node.addDependency(hashed, told);
  }
}
