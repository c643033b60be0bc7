import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Settings } from './config.ts';

export interface EndpointProps {
  /** The route's id: says which bundle it runs. */
  id: string;
  functionName: string;
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

/** A function with a role and a log group of its own: every default of a Lambda in one place. */
export class Endpoint extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, props: EndpointProps) {
    const { id, functionName, bundles, environment, statements, settings } = props;
    const { memoryMb = 512, timeout = Duration.seconds(15) } = props;
    super(scope, id.replace('/', '-'));

    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });

    const ownLog = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { needs: new PolicyDocument({ statements: [...statements, ownLog] }) },
    });

    this.function = new LambdaFunction(this, 'Function', {
      functionName,
      description: id,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(`${bundles}/${id}`),
      handler: 'index.handler',
      memorySize: memoryMb,
      timeout,
      environment,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.WARN,
    });
  }
}
