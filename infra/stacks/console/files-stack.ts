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
import type { Settings } from '../../settings.ts';
import type { ApiStack } from '../api/stack.ts';
import { acceptPrefixWildcard } from '../review.ts';
import type { Storage } from '../storage.ts';
import { type ConsoleDeployment, consolePath, setApiServer } from './deployment.ts';
import { addContentPolicy, cacheControl } from './headers.ts';
import type { ConsoleStack } from './stack.ts';

const keyPrefix = consolePath.slice(1, -1);

interface ConsoleFilesProps {
  settings: Settings;
  site: ConsoleStack;
  /** Folder of the built console. */
  folder: string;
  storage: Storage;
  api: ApiStack;
}

/** Returns the deployment's console settings. Throws if the issuer was created without a console. */
function toConsoleDeployment(
  { issuer: { issuer, signIn }, bucket }: Storage,
  api: ApiStack,
  { console: { voiceServers = [] } = {}, knowledgeBases: { ocrLanguages } }: Settings,
): ConsoleDeployment {
  if (!signIn) throw new Error('The issuer was created without a console');
  const { connect, ...client } = signIn;
  return {
    config: { api: api.url.replace(/\/$/, ''), issuer, ...client, voiceServers, ocrLanguages },
    connect: [...connect, `https://${bucket.bucketRegionalDomainName}`],
  };
}

/**
 * Creates the role of AWS's function that unpacks assets into a bucket, with the least permissions: the construct
 * itself would grant far more.
 */
function createUnpackRole(scope: Construct, logGroup: LogGroup, bucket: Bucket) {
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
  grant('s3:PutObject', bucket.arnForObjects(`${keyPrefix}/*`));
  const handlerRole = role.withoutPolicyUpdates();
  /** Grants the function access to a source. */
  const grantRead = (source: ISource): ISource => {
    const bound = source.bind(scope, { handlerRole });
    grant('s3:GetObject', bound.bucket.arnForObjects(bound.zipObjectKey));
    return { bind: () => bound };
  };
  return { role: handlerRole, grantRead };
}

/**
 * Files of the console's bucket: the build, which is the same for every environment, and the deployment's
 * configuration. Files with hashed names from earlier releases stay, for pages that are still open. No invalidation is
 * needed: CloudFront revalidates all others with S3.
 */
export class ConsoleFilesStack extends NestedStack {
  constructor(scope: Construct, id: string, { settings, site, folder, storage, api }: ConsoleFilesProps) {
    super(scope, id);
    acceptPrefixWildcard(this, site.bucket, `${keyPrefix}/*`);
    const logGroup = new LogGroup(this, 'Log', {
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { role, grantRead } = createUnpackRole(this, logGroup, site.bucket);
    const deployFiles = (
      id: string,
      cacheControl: string,
      props: Pick<BucketDeploymentProps, 'sources' | 'include' | 'exclude'>,
    ) =>
      new BucketDeployment(this, id, {
        ...props,
        destinationBucket: site.bucket,
        destinationKeyPrefix: keyPrefix,
        cacheControl: [CacheControl.fromString(cacheControl)],
        prune: false,
        role,
        logGroup,
      });

    const deployment = toConsoleDeployment(storage, api, settings);
    const build = grantRead(Source.asset(folder, { exclude: ['.*'] }));
    const config = grantRead(Source.jsonData('config.json', deployment.config));
    const builtFile = (path: string) => readFileSync(join(folder, path), 'utf8');
    const page = (path: string) => grantRead(Source.data(path, addContentPolicy(deployment, builtFile(path))));
    const openApi = grantRead(Source.jsonData('openapi.json', setApiServer(deployment, builtFile('openapi.json'))));

    const hashedFiles = deployFiles('Hashed', cacheControl.hashed, {
      sources: [build],
      exclude: ['*'],
      include: ['assets/*'],
    });
    const configFile = deployFiles('Config', cacheControl.config, { sources: [config] });
    const namedFiles = deployFiles('Named', cacheControl.named, {
      sources: [build, openApi, page('docs/index.html'), page('index.html')],
      exclude: ['assets/*'],
    });
    // Pages come last, so that the files they load already exist.
    namedFiles.node.addDependency(hashedFiles, configFile);
  }
}
