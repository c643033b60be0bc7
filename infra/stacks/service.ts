import { CfnOutput, NestedStack, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { serviceName } from '../config.ts';
import type { Settings } from '../settings.ts';
import { ApiStack } from './api/stack.ts';
import { consolePath } from './console/deployment.ts';
import { ConsoleFilesStack } from './console/files-stack.ts';
import { ConsoleStack } from './console/stack.ts';
import { EventsStack } from './events.ts';
import { IngestionStack } from './ingestion.ts';
import { JobsStack } from './jobs.ts';
import { MonitoringStack } from './monitoring/stack.ts';
import type { RouteStack } from './route-stacks.ts';
import { Storage } from './storage.ts';
import { WebhooksStack } from './webhooks.ts';

export interface ServiceProps extends StackProps {
  settings: Settings;
  /** Name of the environment and of the gateway's stage. */
  environment: string;
  /** Folder of the function bundles. */
  bundles: string;
  /** Folder of the built console, if the settings ask for one. */
  consoleFolder?: string | undefined;
}

/**
 * Root stack of one environment. It holds only the data. Nested stacks serve it, so that a change of the API cannot
 * touch the data.
 */
export class ServiceStack extends Stack {
  readonly api: ApiStack;
  readonly webhooks: WebhooksStack;
  readonly events: EventsStack;
  /** Nested stacks that hold functions of routes, besides the API's own. */
  readonly routeStacks: Record<RouteStack, NestedStack>;
  readonly ingestion: IngestionStack;
  readonly monitoring: MonitoringStack;
  readonly console: ConsoleStack | undefined;
  readonly consoleFiles: ConsoleFilesStack | undefined;

  constructor(scope: Construct, id: string, { settings, environment, bundles, consoleFolder, ...props }: ServiceProps) {
    super(scope, id, { ...props, terminationProtection: settings.deletionProtection });
    for (const [key, value] of Object.entries({ service: serviceName, environment, ...settings.tags }))
      Tags.of(this).add(key, value);

    this.console = settings.console && new ConsoleStack(this, 'Console', { name: id, ...settings.console });
    const { corsOrigins } = settings;
    const settingsWithOrigin = {
      ...settings,
      corsOrigins: this.console ? [...corsOrigins, this.console.origin] : corsOrigins,
    };

    const storage = new Storage(this, settingsWithOrigin, this.console?.origin);
    this.webhooks = new WebhooksStack(this, 'Webhooks', { name: id, settings, storage, bundles });
    this.events = new EventsStack(this, 'Events', {
      name: id,
      source: `${serviceName}.${environment}`,
      settings,
      storage,
      bundles,
      webhooks: this.webhooks,
    });
    this.routeStacks = {
      Events: this.events,
      Webhooks: this.webhooks,
      Usage: new NestedStack(this, 'Usage'),
      Versions: new NestedStack(this, 'Versions'),
      Conversations: new NestedStack(this, 'Conversations'),
      Jobs: new JobsStack(this, 'Jobs', { name: id, settings, storage, bundles }),
    };
    this.api = new ApiStack(this, 'Api', {
      name: id,
      settings: settingsWithOrigin,
      storage,
      stage: environment,
      bundles,
      routeStacks: this.routeStacks,
    });

    this.ingestion = new IngestionStack(this, 'Ingestion', { name: id, settings, storage, bundles });
    const { api, ingestion, webhooks } = this;
    this.monitoring = new MonitoringStack(this, 'Monitoring', {
      name: id,
      environment,
      settings,
      storage,
      api,
      ingestion,
      webhooks,
    });
    if (this.console && consoleFolder) {
      const parts = { settings, site: this.console, folder: consoleFolder, storage, api };
      this.consoleFiles = new ConsoleFilesStack(this, 'ConsoleFiles', parts);
    }

    new CfnOutput(this, 'Url', { value: this.api.url });
    if (this.api.domainTarget) new CfnOutput(this, 'DomainTarget', { value: this.api.domainTarget });
    if (this.console) {
      const { origin, domainTarget } = this.console;
      new CfnOutput(this, 'ConsoleUrl', { value: `${origin}${consolePath}` });
      if (domainTarget) new CfnOutput(this, 'ConsoleDomainTarget', { value: domainTarget });
    }
    new CfnOutput(this, 'EventBus', { value: this.events.busName });
    new CfnOutput(this, 'Issuer', { value: storage.issuer.issuer });
    const { googleRedirect } = storage.issuer;
    if (googleRedirect) new CfnOutput(this, 'GoogleRedirect', { value: googleRedirect });
    new CfnOutput(this, 'ClientId', { value: storage.issuer.audiences[0] });
    // The commands for one user's data look these up (infra/commands/data/deployment).
    new CfnOutput(this, 'Table', { value: storage.table.tableName });
    new CfnOutput(this, 'Bucket', { value: storage.bucket.bucketName });
    new CfnOutput(this, 'Key', { value: storage.key.keyArn });
  }
}
