import { Duration, NestedStack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { askNeeds, askTells } from '../../shared/route.ts';
import type { Settings } from '../settings.ts';
import { buildRouteStatements } from './api/permissions.ts';
import { toResourceVariables } from './api/resource-variables.ts';
import { ServiceFunction } from './api/service-function.ts';
import { acceptPrefixWildcard } from './review.ts';
import type { Storage } from './storage.ts';
import { addStreamSource, buildStreamStatement } from './table-stream.ts';

export interface JobsProps {
  /** Prefix of every function name. */
  name: string;
  settings: Settings;
  storage: Storage;
  /** Folder of the function bundles. */
  bundles: string;
}

/** What `run-job` needs. */
const route = {
  tells: [...askTells, 'job.done'],
  needs: {
    ...askNeeds,
    rows: { ...askNeeds.rows, jobs: ['PutItem', 'UpdateItem'], keylist: ['GetItem'] },
    files: { ...askNeeds.files, jobs: ['GetObject', 'PutObject'] },
  },
} as const;

/**
 * Nested stack that answers the requests of jobs: table stream → run-job, one turn of a minute after the other. The jobs of one owner take
 * turns: one that has not ended in its turn adds a row for another, behind those that wait. Also holds the functions of the job routes
 * (route-stacks.ts).
 */
export class JobsStack extends NestedStack {
  constructor(scope: Construct, id: string, { name, settings, storage, bundles }: JobsProps) {
    super(scope, id);
    for (const folder of Object.keys(route.needs.files)) acceptPrefixWildcard(this, storage.bucket, `${folder}/*`);
    const { live } = new ServiceFunction(this, {
      id: 'run-job',
      service: name,
      bundles,
      settings,
      timeout: Duration.minutes(5), // a minute to begin requests, a minute of tries, and two for the last answer
      memoryMb: 1_024, // for the answers of a whole job
      environment: {
        ...toResourceVariables(route, storage, settings),
        TABLE_NAME: storage.table.tableName,
        EVENT_DAYS: String(settings.eventDays),
      },
      statements: [...buildRouteStatements(route, storage, settings), buildStreamStatement(storage)],
    });
    addStreamSource(this, 'Turns', storage, live, ['JOB#', 'TURN#'], {
      batchSize: 1,
      // Then the turn is lost: one that always crashes must not stop all others. The sweep gives the job another.
      retryAttempts: 3,
    });
  }
}
