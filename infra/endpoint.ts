import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/**
 * Of functions with less than a whole core. V8's young generation would grow to three times 16 MB and more, on which nothing depends:
 * bounded, a function takes half the memory after many calls, and no more time (docs/decisions/0012-young-generation.md).
 */
export const nodeOptions = '--max-semi-space-size=4';

/** What Lambda gives a whole core for. */
const wholeCoreMb = 1_769;

export interface EndpointProps {
  /** The route's id: says which bundle it runs. */
  id: string;
  /** What the names of all functions begin with. */
  service: string;
  /** Where the bundles are, each in a folder named by its id. */
  bundles: string;
  environment: Record<string, string>;
  /** 512 unless set. */
  memoryMb?: number;
  /** Unless set, a second longer than the gateway waits (api.ts), so that the client hears 504 and not of a crash. */
  timeout?: Duration;
  /** Its rights, over writing its own log. */
  statements: PolicyStatement[];
  settings: Settings;
}

/** The name of the function of a route. */
export const functionNameOf = (service: string, id: string): string => `${service}-${id.replace('/', '-')}`;

/** The name of the log of a route's function. */
export const logGroupNameOf = (service: string, id: string): string => `/aws/lambda/${functionNameOf(service, id)}`;

/**
 * A function with a role and a log group of its own: every default of a Lambda in one place. It is called by its alias, which
 * leads to one version of its code and settings, and can lead back.
 */
export class Endpoint extends Construct {
  readonly live: Alias;

  constructor(scope: Construct, props: EndpointProps) {
    const { id, service, bundles, environment, statements, settings } = props;
    const { memoryMb = 512, timeout = Duration.seconds(15) } = props;
    super(scope, id.replace('/', '-'));

    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: logGroupNameOf(service, id),
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });

    const ownLog = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    const traces = new PolicyStatement({
      actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
      resources: ['*'],
    });
    const all = [...statements, ownLog, ...(settings.tracing ? [traces] : [])];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { needs: new PolicyDocument({ statements: all }) },
    });
    if (settings.tracing) {
      const reason = 'Traces belong to no resource: X-Ray has no finer right';
      const rules = ['AwsSolutions::AwsSolutions-IAM5[Resource::*]', 'Serverless::Serverless-LambdaStarPermissions'];
      for (const id of rules) Validations.of(role).acknowledge({ id, reason });
    }

    const code = new LambdaFunction(this, 'Function', {
      functionName: functionNameOf(service, id),
      description: id,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(`${bundles}/${id}`),
      handler: 'index.handler',
      memorySize: memoryMb,
      timeout,
      environment: memoryMb < wholeCoreMb ? { ...environment, NODE_OPTIONS: nodeOptions } : environment,
      role: role.withoutPolicyUpdates(), // else CDK adds the right to trace again, in a policy of its own
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: settings.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      // An old version stays, so that a release can be taken back. That of a release which failed goes with it: the next
      // deployment of the same code could not publish it again.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
    this.live = new Alias(this, 'Live', { aliasName: 'live', version: code.currentVersion });
  }
}
