import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  EventSourceMapping,
  type EventSourceMappingOptions,
  FilterCriteria,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Storage } from './storage.ts';

/** Returns the ARN of the table's stream. */
function getStreamArn({ table: { tableStreamArn } }: Pick<Storage, 'table'>): string {
  if (!tableStreamArn) throw new Error('The table needs a stream');
  return tableStreamArn;
}

/** Builds the permission to read the table's stream. */
export const buildStreamStatement = (storage: Pick<Storage, 'table'>): PolicyStatement =>
  new PolicyStatement({
    actions: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((name) => `dynamodb:${name}`),
    resources: [getStreamArn(storage)],
  });

/** Calls a function for each new row whose sort key begins with one of the prefixes. Reading the stream costs nothing. */
export function addStreamSource(
  scope: Construct,
  id: string,
  storage: Pick<Storage, 'table'>,
  target: Alias,
  prefixes: readonly string[],
  options: EventSourceMappingOptions,
): void {
  new EventSourceMapping(scope, id, {
    target,
    eventSourceArn: getStreamArn(storage),
    filters: [
      FilterCriteria.filter({
        eventName: ['INSERT'],
        dynamodb: { Keys: { sk: { S: prefixes.map((prefix) => ({ prefix })) } } },
      }),
    ],
    // A mapping that starts at the latest record may miss some while it is created.
    startingPosition: StartingPosition.TRIM_HORIZON,
    // A slow row lets fewer others wait: AWS's maximum. The records of one row stay in order, those of a partition do not.
    parallelizationFactor: 10,
    ...options,
  });
}
