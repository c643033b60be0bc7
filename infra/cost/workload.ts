import { costs } from '../../shared/metrics.ts';
import { Problem } from '../problem.ts';
import { type Measured, readMeasured } from './measured.ts';
import { sum, type Usage } from './prices.ts';
import { gigabyte, usageOf } from './request.ts';
import { type Deployment, hasFirewall, memoryOf } from './templates.ts';

/** How much a month is asked of the service. */
export interface Workload {
  calls: number;
  assistants: number;
  /** Documents uploaded in a month, of 1 MB. */
  documents: number;
  /** Searches of knowledge bases in each call. */
  searches: number;
  /** People who sign in. */
  users: number;
  /** How often each of them looks at a page of sessions and opens one. */
  views: number;
  /** For how many months everything has been kept. */
  months: number;
  /** The busiest second has so many times the calls of the mean. */
  peak: number;
}

export const usual: Workload = {
  calls: 100_000,
  assistants: 500,
  documents: 100,
  searches: 1,
  users: 10,
  views: 200,
  months: 12,
  peak: 10,
};

/** The same for so many users, each of whom does what they do. */
export function asManyUsers(workload: Workload, users: number): Workload {
  const times = users / workload.users;
  const { calls, assistants, documents } = workload;
  return { ...workload, users, calls: calls * times, assistants: assistants * times, documents: documents * times };
}

/** What each of them means, as the command and the page say it. */
export const meanings: Record<keyof Workload, string> = {
  calls:
    'calls a month, each one read of the runtime configuration, with the keys of three vendors, and one log of 150 turns',
  assistants: 'assistants, each edited four times a month',
  documents: 'documents uploaded a month, 1 MB each',
  searches: 'searches of knowledge bases in each call',
  users: 'people who sign in',
  views: 'times a month that each of them opens the list of assistants, a page of sessions, and one session',
  months: 'months for which everything has been kept',
  peak: 'times the mean in the busiest second',
};

/** How often a request of each measured kind is made. */
export interface Part {
  route: string;
  case: string;
  times: number;
  /** Made by a worker, whose API key is looked up. */
  byWorker?: true;
}

/** The requests of a month. */
export function partsOf({ calls, assistants, documents, searches, users, views }: Workload): Part[] {
  const looks = users * views;
  return [
    { route: 'assistants/runtime-config', case: 'three credentials', times: calls, byWorker: true },
    { route: 'knowledge-bases/search', case: 'one attached, again', times: calls * searches, byWorker: true },
    { route: 'logs/create', case: '150 turns, in S3', times: calls, byWorker: true },
    { route: 'assistants/list', case: 'a page of 20 of 2 KB', times: looks },
    { route: 'logs/sessions', case: 'a page of 20', times: looks },
    { route: 'logs/get', case: '150 turns, from S3', times: looks },
    { route: 'assistants/update', case: 'one field of 2 KB', times: 4 * assistants },
    { route: 'knowledge-bases/create-attached', case: '1 KB of text', times: documents },
  ];
}

/** Bytes that are kept: of a call the session in the table and in its two indexes, with its telling, and the transcript. */
const kept = { assistant: 2_000, callInTable: 3_150, callInFiles: 10_200, document: 1_250_000 };

/** Looked up for a minute's requests; reckoned for each of them. */
const keyLookup: Usage = { readUnit: 1 };

/** For how long a document of 1 MB is read, by a whole processor. */
export const readingSeconds = 3;

/** How long it takes to queue a document. */
const intakeSeconds = 0.05;

/** Reading a document of 1 MB: its record, its files and its two messages. */
const reading: Usage = {
  lambdaRequest: 2,
  lambdaSecond: readingSeconds * (1_769 / 1_024) + intakeSeconds * (512 / 1_024),
  readUnit: 1,
  writeUnit: 1,
  fileRead: 1,
  fileStored: 1,
  event: 1,
  queueRequest: 6,
};

/** Weekly copies of the whole table that are kept (infra/storage.ts). */
const copies = 5;

/** What is stored, a month's worth. */
function storage(
  { calls, assistants, documents, months }: Workload,
  requests: Usage,
  { settings: { logRetentionDays, retain } }: Deployment,
): Usage {
  const table = (assistants * kept.assistant + calls * months * kept.callInTable) / gigabyte;
  return {
    tableGigabyte: table,
    ...(retain && { backupGigabyte: table, copyGigabyte: table * copies }),
    fileGigabyte: (months * (calls * kept.callInFiles + documents * kept.document)) / gigabyte,
    logGigabyteKept: ((requests.logGigabyte ?? 0) * logRetentionDays) / 30,
  };
}

/** A measured request, and the memory of its function in MB. Throws Problem where none was measured under that name. */
export function requestOf(
  { route, case: name }: Part,
  deployment: Deployment,
): { request: Measured; memoryMb: number } {
  const request = readMeasured().find((one) => one.route === route && one.case === name);
  if (!request) throw new Problem(`${route}, "${name}", is not measured: see infra/cost/measured.csv`);
  return { request, memoryMb: memoryOf(route, deployment) };
}

/** What one request of a part is billed by. */
export function usageOfPart(part: Part, deployment: Deployment): Usage {
  const { request, memoryMb } = requestOf(part, deployment);
  return sum([usageOf(request, memoryMb), 1], [part.byWorker ? keyLookup : {}, 1]);
}

/** What a month's work is billed by, over what idles. */
export function usageIn(workload: Workload, deployment: Deployment): Usage {
  const requests = sum(
    ...partsOf(workload).map((part): [Usage, number] => [usageOfPart(part, deployment), part.times]),
    [reading, workload.documents],
    [{ user: 1 }, workload.users],
  );
  return sum(
    [requests, 1],
    [storage(workload, requests, deployment), 1],
    [{ metric: costs.Metrics.length }, requests.gatewayRequest ? 1 : 0], // paid for in the hours that have values
    [hasFirewall(deployment) ? { firewallRequest: requests.gatewayRequest ?? 0 } : {}, 1],
  );
}
