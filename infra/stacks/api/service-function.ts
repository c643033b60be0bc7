import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  type RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { defaultMemoryMb, fullCoreMb } from '../../../shared/route.ts';
import type { Settings } from '../../settings.ts';

/**
 * Builds the environment that bounds a function's memory (docs/decisions/0012-young-generation.md). V8's old generation has half of it, so that
 * what a request leaves is collected before the next one needs the rest. With less than a full core, its young generation is limited, too: it
 * would otherwise grow past three times 16 MB, and the function would be no faster. Freed blocks of 128 KB and more go back to the system:
 * glibc would otherwise raise that limit with the largest block that was freed, up to 32 MB.
 */
export const buildMemoryEnvironment = (memoryMb: number): Record<string, string> => ({
  NODE_OPTIONS: `--max-semi-space-size=${memoryMb < fullCoreMb ? 4 : 16} --max-old-space-size=${Math.floor(memoryMb / 2)}`,
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
});

export interface ServiceFunctionProps {
  /** Id of the route, which is also the path of its bundle. */
  id: string;
  /** Prefix of every function name. */
  service: string;
  /** Folder of the bundles, each in a subfolder named by its id. */
  bundles: string;
  environment: Record<string, string>;
  /** Defaults to `defaultMemoryMb`. */
  memoryMb?: number;
  /**
   * Defaults to a second more than the gateway waits (stack.ts), so that the client gets a 504 instead of the response to
   * a crash.
   */
  timeout?: Duration;
  /** Permissions of the function. Writing its own log is always allowed. */
  statements: PolicyStatement[];
  settings: Settings;
  /** Allows the function to trigger itself. */
  recursiveLoop?: RecursiveLoop;
}

/** Returns the name of a route's function. */
export const toFunctionName = (service: string, id: string): string => `${service}-${id.replace('/', '-')}`;

/** Returns the name of the log group of a route's function. */
export const toLogGroupName = (service: string, id: string): string => `/aws/lambda/${toFunctionName(service, id)}`;

/**
 * Lambda function with its own role and log group; the one place for all function defaults. Callers invoke its alias,
 * which points to one version of code and settings and allows a rollback.
 */
export class ServiceFunction extends Construct {
  readonly live: Alias;

  constructor(scope: Construct, props: ServiceFunctionProps) {
    const { id, service, bundles, environment, statements, settings, recursiveLoop } = props;
    const { memoryMb = defaultMemoryMb, timeout = Duration.seconds(15) } = props;
    super(scope, id.replace('/', '-'));

    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: toLogGroupName(service, id),
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
    const allStatements = [...statements, ownLog, ...(settings.tracing ? [traces] : [])];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { needs: new PolicyDocument({ statements: allStatements }) },
    });
    if (settings.tracing) {
      const reason = 'Traces belong to no resource: X-Ray has no finer right';
      const rules = ['AwsSolutions::AwsSolutions-IAM5[Resource::*]', 'Serverless::Serverless-LambdaStarPermissions'];
      for (const id of rules) Validations.of(role).acknowledge({ id, reason });
    }

    const code = new LambdaFunction(this, 'Function', {
      functionName: toFunctionName(service, id),
      description: id,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(`${bundles}/${id}`),
      handler: 'index.handler',
      memorySize: memoryMb,
      timeout,
      environment: { ...environment, ...buildMemoryEnvironment(memoryMb) },
      role: role.withoutPolicyUpdates(), // otherwise CDK adds the tracing permissions again, in another policy
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(recursiveLoop && { recursiveLoop }),
      tracing: settings.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      // Retains old versions, so that a release can be rolled back. The version of a failed release is deleted:
      // otherwise the next deployment of the same code could not publish it.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
    this.live = new Alias(this, 'Live', { aliasName: 'live', version: code.currentVersion });
  }
}
