import { NestedStack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { routes } from '../shared/routes/index.ts';
import { Alarms } from './alarms.ts';
import type { ApiStack } from './api.ts';
import { watchBill } from './budget.ts';
import { dashboard } from './dashboard.ts';
import { logGroupNameOf } from './endpoint.ts';
import type { IngestionStack } from './ingestion.ts';
import type { Named } from './metrics.ts';
import { noRoutes } from './no-routes.ts';
import { Queries } from './queries.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';

interface MonitoringProps extends Named {
  settings: Settings;
  storage: Storage;
  api: ApiStack;
  ingestion: IngestionStack;
}

/** What watches the service: saved queries of its logs and, as the settings say, a budget, alarms and a dashboard. */
export class MonitoringStack extends NestedStack {
  constructor(scope: Construct, id: string, { settings, storage, api, ingestion, ...named }: MonitoringProps) {
    super(scope, id);
    new Queries(this, {
      name: named.name,
      logGroupNames: [...routes.map((route) => route.id), ...noRoutes].map((id) => logGroupNameOf(named.name, id)),
      accessLog: api.accessLog.logGroupName,
    });
    watchBill(this, settings);
    const { alarms: targets } = settings;
    const alarms = targets
      ? new Alarms(this, { ...named, targets, storage, ingestion, accessLog: api.accessLog }).all
      : [];
    if (settings.dashboard) dashboard(this, { ...named, storage, ingestion, alarms });
  }
}
