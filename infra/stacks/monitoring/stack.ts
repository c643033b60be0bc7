import { NestedStack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { routes } from '../../../shared/routes/index.ts';
import type { Settings } from '../../settings.ts';
import { toLogGroupName } from '../api/service-function.ts';
import type { ApiStack } from '../api/stack.ts';
import type { IngestionStack } from '../ingestion.ts';
import { nonRouteFunctions } from '../non-route-functions.ts';
import type { Storage } from '../storage.ts';
import type { WebhooksStack } from '../webhooks.ts';
import { Alarms } from './alarms.ts';
import { createBudget } from './budget.ts';
import { createDashboard } from './dashboard.ts';
import type { MetricSource } from './metrics.ts';
import { Queries } from './queries.ts';

interface MonitoringProps extends MetricSource {
  settings: Settings;
  storage: Storage;
  api: ApiStack;
  ingestion: IngestionStack;
  webhooks: WebhooksStack;
}

/**
 * Nested stack that monitors the service: saved log queries and, depending on the settings, a budget, alarms and a
 * dashboard.
 */
export class MonitoringStack extends NestedStack {
  constructor(
    scope: Construct,
    id: string,
    { settings, storage, api, ingestion, webhooks, ...metricSource }: MonitoringProps,
  ) {
    super(scope, id);
    new Queries(this, {
      name: metricSource.name,
      logGroupNames: [...routes.map((route) => route.id), ...nonRouteFunctions].map((id) =>
        toLogGroupName(metricSource.name, id),
      ),
      accessLog: api.accessLog.logGroupName,
    });
    createBudget(this, settings);
    const { alarms: targets } = settings;
    const alarms = targets
      ? new Alarms(this, { ...metricSource, targets, storage, ingestion, webhooks, accessLog: api.accessLog }).all
      : [];
    if (settings.dashboard) createDashboard(this, { ...metricSource, storage, ingestion, alarms });
  }
}
