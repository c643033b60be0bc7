import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

interface QueriesProps {
  /** Name of the service, and folder of its queries in the AWS console. */
  name: string;
  /** Log groups of all functions. */
  logGroupNames: string[];
  accessLog: string;
}

/**
 * Queries of the function logs. A request's line has its fields at the root (shared/telemetry/log-line.ts), all other lines below
 * `message`.
 */
const functionQueries: Record<string, string[]> = {
  'slowest requests': [
    'fields @timestamp, route, status, duration_ms, round_trips, cold_start, request_id',
    'filter ispresent(route)',
    'sort duration_ms desc',
    'limit 50',
  ],
  'errors by type': [
    'filter status >= 400',
    'stats count(*) as requests, earliest(@timestamp) as first, latest(@timestamp) as last by status, error, route',
    'sort status desc, requests desc',
  ],
  'causes of errors': [
    'fields @timestamp, message.error.name, message.error.message, message.error.cause.message, record.status, ' +
      'message.request_id, @message',
    "filter level = 'ERROR' or record.status in ['error', 'failure', 'timeout']",
    'sort @timestamp desc',
    'limit 100',
  ],
  'one request by id': [
    'fields @timestamp, @log, @message',
    "filter @message like 'PUT THE x-request-id HERE'",
    'sort @timestamp asc',
  ],
  'cold starts by route': [
    'filter ispresent(route)',
    'fields strcontains(@message, \'"cold_start":true\') as cold',
    'stats count(*) as requests, sum(cold) as cold_starts, 100 * avg(cold) as percent by route',
    'sort cold_starts desc',
  ],
  'units by route': [
    'filter ispresent(route)',
    'stats count(*) as requests, avg(round_trips) as trips, avg(read_units) as reads, avg(write_units) as writes, ' +
      'sum(read_units) as all_reads, sum(write_units) as all_writes by route',
    'sort all_writes desc, all_reads desc',
  ],
  'versions by route': [
    'filter ispresent(route)',
    'fields strcontains(@message, \'"faults":1\') as fault',
    'stats count(*) as requests, sum(fault) as faults, pct(duration_ms, 50) as p50, pct(duration_ms, 99) as p99 by route, version',
    'sort route asc, version desc',
  ],
  'documents that failed': [
    'fields @timestamp, message_id, attempt, coalesce(error, reason) as why, duration_ms',
    'filter ispresent(task) and (ispresent(error) or ispresent(reason))',
    'sort @timestamp desc',
    'limit 100',
  ],
};

/** Queries of the gateway's access log. */
const gatewayQueries: Record<string, string[]> = {
  'who is turned away': [
    'filter status = 429',
    'stats count(*) as requests, latest(@timestamp) as last by ip, method, resource',
    'sort requests desc',
  ],
};

/** Maximum number of log groups of a query. More groups need further queries with the same text. */
const maxLogGroups = 50;

/** Names of the saved queries. */
export const queryNames = [...Object.keys(functionQueries), ...Object.keys(gatewayQueries)];

/** Saved queries of CloudWatch Logs Insights for troubleshooting. A run costs $0.005 per gigabyte it scans. */
export class Queries extends Construct {
  constructor(scope: Construct, { name, logGroupNames, accessLog }: QueriesProps) {
    super(scope, 'Queries');
    const save = (queries: Record<string, string[]>, groups: string[]) => {
      for (const [title, lines] of Object.entries(queries)) {
        for (let part = 0; part * maxLogGroups < groups.length; part++) {
          const partTitle = part === 0 ? title : `${title}, part ${part + 1}`;
          new CfnQueryDefinition(this, partTitle.replaceAll(/,? /g, '-'), {
            name: `${name}/${partTitle}`,
            queryString: lines.join('\n| '),
            logGroupNames: groups.slice(part * maxLogGroups, (part + 1) * maxLogGroups),
          });
        }
      }
    };
    save(functionQueries, logGroupNames);
    save(gatewayQueries, [accessLog]);
  }
}
