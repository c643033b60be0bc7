import { defaultMemoryMb, fullCoreMb } from '../../../shared/route.ts';
import { costMetrics } from '../../../shared/telemetry/metrics.ts';
import { UserError } from '../../terminal/user-error.ts';
import { type MeasuredRequest, readMeasurements } from './measured.ts';
import { sumUsages, type Usage } from './prices.ts';
import { gigabyte, toUsage } from './request.ts';
import { getMemoryMb, hasFirewall, hasUserPool, type SynthesizedStack } from './templates.ts';

/** Monthly workload. */
export interface Workload {
  calls: number;
  assistants: number;
  /** Documents of 1 MB uploaded a month. */
  documents: number;
  /** Searches of knowledge bases per call. */
  searches: number;
  /** People who sign in. */
  users: number;
  /** Times a month that each user opens the list of assistants, a page of sessions, and one session. */
  views: number;
  /** Months of stored data. */
  months: number;
  /** Factor from the mean rate to the busiest second. */
  peak: number;
}

export const defaultWorkload: Workload = {
  calls: 100_000,
  assistants: 500,
  documents: 100,
  searches: 1,
  users: 10,
  views: 200,
  months: 12,
  peak: 10,
};

/** Scales a workload to a number of users who each do the same. */
export function scaleToUsers(workload: Workload, users: number): Workload {
  const times = users / workload.users;
  const { calls, assistants, documents } = workload;
  return { ...workload, users, calls: calls * times, assistants: assistants * times, documents: documents * times };
}

/** Descriptions of the options, as the command and the page print them. */
export const optionDescriptions: Record<keyof Workload, string> = {
  calls:
    'calls a month; each reads the runtime configuration with the keys of three vendors, and saves one log of 150 turns',
  assistants: 'assistants; each is edited four times a month',
  documents: 'documents uploaded a month, 1 MB each',
  searches: 'searches of knowledge bases in each call',
  users: 'people who sign in',
  views: 'views a month: how often each user opens the list of assistants, a page of sessions, and one session',
  months: 'months for which everything has been kept',
  peak: 'times the mean in the busiest second',
};

/** Monthly number of requests of one measured case. */
export interface RequestVolume {
  route: string;
  case: string;
  times: number;
  /** True for requests of a worker, which look up an API key. */
  byWorker?: true;
}

/** Returns the requests of a month. */
export function listRequestVolumes({
  calls,
  assistants,
  documents,
  searches,
  users,
  views,
}: Workload): RequestVolume[] {
  const pageViews = users * views;
  return [
    { route: 'assistants/runtime-config', case: 'three credentials', times: calls, byWorker: true },
    { route: 'knowledge-bases/search', case: 'one attached, again', times: calls * searches, byWorker: true },
    { route: 'logs/create', case: '150 turns, in S3', times: calls, byWorker: true },
    { route: 'assistants/list', case: 'a page of 20 of 2 KB', times: pageViews },
    { route: 'logs/sessions', case: 'a page of 20', times: pageViews },
    { route: 'logs/get', case: '150 turns, from S3', times: pageViews },
    { route: 'assistants/update', case: 'one field of 2 KB', times: 4 * assistants },
    { route: 'knowledge-bases/create-attached', case: '1 KB of text', times: documents },
  ];
}

/**
 * Stored bytes of each item. A call in the table is its session with two index entries, and its call version; in S3 its
 * transcript.
 */
const storedBytes = { assistant: 2_000, callInTable: 3_150, callInFiles: 10_200, document: 1_250_000 };

/** Lookup of an API key. It is cached for a minute, but billed here for each request. */
const apiKeyLookup: Usage = { readUnit: 1 };

/** Time to parse a document of 1 MB on a full core. */
export const parsingSeconds = 3;

/** Time to queue a single document. */
const intakeSeconds = 0.05;

/**
 * Usage to ingest a document of 1 MB: its record, its files and its two messages. Documents that arrive together need
 * fewer requests.
 */
const ingestionUsage: Usage = {
  lambdaRequest: 2,
  lambdaGbSecond: parsingSeconds * (fullCoreMb / 1_024) + intakeSeconds * (defaultMemoryMb / 1_024),
  readUnit: 3, // one by intake, two by ingest
  writeUnit: 5, // a transaction of the record and its event, and the index of rows that wait
  fileRead: 1,
  fileStored: 1,
  event: 1,
  queueRequest: 6,
};

/** Usage to send one event of the journal to the event bus. Events that are told together need fewer invocations. */
const relayUsage: Usage = {
  lambdaRequest: 1,
  lambdaGbSecond: 0.03 * (defaultMemoryMb / 1_024),
  readUnit: 1,
  ownEvent: 1,
};

/** Returns the number of events in a month: the lease and the log of each call, edits, and new and parsed documents. */
export const countEvents = ({ calls, assistants, documents }: Workload): number =>
  2 * calls + 4 * assistants + 2 * documents;

/** Number of weekly backups of the table that are kept (infra/stacks/storage.ts). */
const backupCopies = 5;

/** Returns the monthly usage of storage. */
function getStorageUsage(
  { calls, assistants, documents, months }: Workload,
  requests: Usage,
  { settings: { logRetentionDays, retain } }: SynthesizedStack,
): Usage {
  const table = (assistants * storedBytes.assistant + calls * months * storedBytes.callInTable) / gigabyte;
  return {
    tableGigabyte: table,
    ...(retain && { backupGigabyte: table, copyGigabyte: table * backupCopies }),
    fileGigabyte: (months * (calls * storedBytes.callInFiles + documents * storedBytes.document)) / gigabyte,
    logGigabyteKept: ((requests.logGigabyte ?? 0) * logRetentionDays) / 30,
  };
}

/** Returns the measurements of a request and its function's memory in MB. Throws UserError if it is not measured. */
export function getMeasuredRequest(
  { route, case: name }: RequestVolume,
  stack: SynthesizedStack,
): { request: MeasuredRequest; memoryMb: number } {
  const request = readMeasurements().find((one) => one.route === route && one.case === name);
  if (!request) throw new UserError(`${route}, "${name}", is not measured: see infra/commands/cost/measured.csv`);
  return { request, memoryMb: getMemoryMb(route, stack) };
}

/** Returns the usage of one request of this kind. */
export function getRequestUsage(volume: RequestVolume, stack: SynthesizedStack): Usage {
  const { request, memoryMb } = getMeasuredRequest(volume, stack);
  return sumUsages([toUsage(request, memoryMb), 1], [volume.byWorker ? apiKeyLookup : {}, 1]);
}

/** Returns the monthly usage of a workload, without the cost of idle resources. */
export function getMonthlyUsage(workload: Workload, stack: SynthesizedStack): Usage {
  const requests = sumUsages(
    ...listRequestVolumes(workload).map((volume): [Usage, number] => [getRequestUsage(volume, stack), volume.times]),
    [ingestionUsage, workload.documents],
    [relayUsage, countEvents(workload)],
    [{ user: 1 }, hasUserPool(stack) ? workload.users : 0],
  );
  return sumUsages(
    [requests, 1],
    [getStorageUsage(workload, requests, stack), 1],
    [{ metric: costMetrics.Metrics.length }, requests.gatewayRequest ? 1 : 0], // billed only for hours with values
    [hasFirewall(stack) ? { firewallRequest: requests.gatewayRequest ?? 0 } : {}, 1],
  );
}
