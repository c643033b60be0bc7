import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { AttributeType, Billing, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { jobDays } from '../../shared/domain/job.ts';
import type { Settings } from '../settings.ts';
import { createIssuer, type Issuer } from './identity.ts';
import { getStackSuffix } from './stack-suffix.ts';

/**
 * All resources that hold data. `retain` keeps them when their stack is deleted, unless a first deployment fails: they
 * are empty then, and are deleted with it.
 */
export class Storage extends Construct {
  readonly table: TableV2;
  readonly bucket: Bucket;
  readonly key: Key;
  readonly issuer: Issuer;

  /** Creates the resources. `consoleOrigin` is the origin to which users return after signing in. */
  constructor(scope: Construct, settings: Settings, consoleOrigin?: string) {
    super(scope, 'Storage');
    const { retain, deletionProtection, transcriptRetentionDays: days } = settings;
    const removalPolicy = retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      timeToLiveAttribute: 'expires_at',
      globalSecondaryIndexes: [
        ...['by-assistant', 'by-room'].map((name) => ({
          indexName: name,
          partitionKey: { name, type: AttributeType.STRING },
          sortKey: { name: 'sk', type: AttributeType.STRING },
        })),
        {
          indexName: 'by-due',
          partitionKey: { name: 'by-due', type: AttributeType.STRING },
          sortKey: { name: 'due', type: AttributeType.STRING },
          projectionType: ProjectionType.KEYS_ONLY,
        },
      ],
      // Keys only: the stream keeps its records for a day, even if their rows are deleted.
      dynamoStream: StreamViewType.KEYS_ONLY,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: retain },
      deletionProtection,
      removalPolicy,
    });

    this.bucket = new Bucket(this, 'Files', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      versioned: true,
      removalPolicy,
      autoDeleteObjects: !retain,
      lifecycleRules: [
        {
          abortIncompleteMultipartUploadAfter: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(30),
          // Removes expired delete markers, which keep the name of a deleted file.
          expiredObjectDeleteMarker: true,
        },
        { prefix: 'jobs/', expiration: Duration.days(jobDays), noncurrentVersionExpiration: Duration.days(1) },
        ...(days ? [{ prefix: 'transcripts/', expiration: Duration.days(days) }] : []),
      ],
      cors:
        settings.corsOrigins.length > 0
          ? [
              {
                allowedOrigins: settings.corsOrigins,
                allowedMethods: [HttpMethods.POST, HttpMethods.GET],
                allowedHeaders: ['*'],
              },
            ]
          : [],
    });

    // Makes the bucket send events to EventBridge. CDK's own option would add a function to configure this.
    (this.bucket.node.defaultChild as CfnBucket).notificationConfiguration = {
      eventBridgeConfiguration: { eventBridgeEnabled: true },
    };

    this.key = new Key(this, 'CredentialsKey', {
      description: 'Encrypts the credentials of third-party services',
      enableKeyRotation: true,
      removalPolicy,
    });

    this.issuer = createIssuer(this, settings, consoleOrigin);

    if (retain) this.addBackups();
  }

  /**
   * Adds weekly backups of the table, kept for 35 days even if the table is deleted. The bucket keeps old versions
   * instead.
   */
  private addBackups(): void {
    const vault = new BackupVault(this, 'Backups', {
      backupVaultName: `${Stack.of(this).stackName}-${getStackSuffix()}`,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const weekly = new BackupPlanRule({
      ruleName: 'Weekly',
      backupVault: vault,
      scheduleExpression: Schedule.cron({ weekDay: 'SUN', hour: '5', minute: '0' }),
      deleteAfter: Duration.days(35),
    });
    const plan = new BackupPlan(this, 'BackupPlan', { backupPlanRules: [weekly] });
    plan.addSelection('Table', { resources: [BackupResource.fromDynamoDbTable(this.table)] });
  }
}
