import { type App, Names, Stack, Validations } from 'aws-cdk-lib';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** Returns the cdk-nag findings that this project accepts, each with its reason. */
const buildAcceptedFindings = ({ waf, retain, console }: Settings): Record<string, string> => ({
  'AwsSolutions::AwsSolutions-APIG2':
    'Each function validates path, query, headers and body by its schema, and names all faults at once',
  ...(!waf && {
    'AwsSolutions::AwsSolutions-APIG3':
      'A web ACL with four rules costs $9 a month idle: this environment goes without',
  }),
  'AwsSolutions::AwsSolutions-APIG4': 'Each function verifies the token itself: no authorizer call, one error shape',
  'AwsSolutions::AwsSolutions-APIG6':
    'Access logs and one log line per request tell all; execution logs have no retention that a stack could set',
  ...(console && {
    'AwsSolutions::AwsSolutions-CFR1': 'Where its users are is for the team to say',
    'AwsSolutions::AwsSolutions-CFR2': 'What CloudFront serves is the same for everybody, and free of data',
    'AwsSolutions::AwsSolutions-CFR3': 'All that is served are static files; what is done with them, the API logs',
    'AwsSolutions::AwsSolutions-L1': "AWS's own function, of which CDK chooses the runtime, puts the files there",
    'Serverless::Serverless-LambdaLatestVersion':
      "AWS's own function, of which CDK chooses the runtime, puts the files there",
    'Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk':
      'No request reaches the root of the bucket: CloudFront answers it by itself',
    ...(!console.domain && {
      'AwsSolutions::AwsSolutions-CFR4':
        'Under its own name CloudFront takes any TLS that it knows; a domain takes 1.2 and later',
    }),
  }),
  'AwsSolutions::AwsSolutions-COG2': 'Whether its users need a second factor is for the team to say, in the pool',
  'AwsSolutions::AwsSolutions-COG4': 'Each function verifies the token itself, of any OIDC issuer',
  'AwsSolutions::AwsSolutions-COG8': 'The plus tier is billed by user: a choice of the team',
  'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
    'The role that API Gateway asks for, with the policy that AWS keeps for it',
  'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
    'The role that CodeDeploy asks for, with the policy that AWS keeps for it',
  ...(retain && {
    'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]':
      'The role of AWS Backup, with the policy that AWS keeps for it; it may not restore',
  }),
  'AwsSolutions::AwsSolutions-S1':
    'Only functions reach the bucket, and they log each request; access logs would cost more than the files',
  'Serverless::Serverless-APIGWXrayEnabled': 'Tracing is billed by request and off by default',
  'Serverless::Serverless-LambdaDLQ':
    'Functions behind the gateway are called synchronously, and the next run of a schedule does what a failed one did not',
  'Serverless::Serverless-SQSRedrivePolicy':
    'The queue of what failed is the end of the way; the other one leads to it',
  'Serverless::Serverless-LambdaEventSourceMappingDestination':
    'Messages that fail go to the dead-letter queue of their own queue, events of the stream are retried until they leave it, and the sweep gives a job another turn',
  'Serverless::Serverless-SNSRedrivePolicy':
    'Alarms go to people by mail: what could not be sent is in the history of the alarm, and in no queue that anybody reads',
  'Serverless::Serverless-LambdaTracing': 'Tracing is billed by request and off by default',
});

/**
 * Accepts the wildcard in a permission for all objects below one prefix: S3 has no finer way. The finding refers to the
 * bucket as the nested stack does.
 */
export function acceptPrefixWildcard(scope: Construct, bucket: Bucket, prefix: string): void {
  const { defaultChild = bucket } = bucket.node;
  const { nestedStackResource } = Stack.of(bucket);
  const owner = nestedStackResource ? `${Names.nodeUniqueId(nestedStackResource.node)}Outputs` : '';
  const name = `referenceto${owner}${Names.nodeUniqueId(defaultChild.node)}Arn`;
  const id = `AwsSolutions::AwsSolutions-IAM5[Resource::<${name}>/${prefix}]`;
  Validations.of(scope).acknowledge({ id, reason: 'Only the objects below one prefix of the bucket' });
}

/** Runs cdk-nag on every synthesis, and fails it on any finding that is not accepted. */
export function review(app: App, settings: Settings): void {
  const validations = Validations.of(app);
  validations.addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  for (const [id, reason] of Object.entries(buildAcceptedFindings(settings))) validations.acknowledge({ id, reason });
}
