import { once } from 'node:events';
import { Agent, request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { deedsOf, listing, placeOf, type Service, serviceOf } from './deeds.ts';
import { isWelcome } from './emulators/door.ts';
import { allowing, type Deed, type KeyPattern, leadingKeys, type Right } from './gate.ts';
import { type Grants, grantsOf } from './policies.ts';
import { type PartitionKeys, partitionKeysOf } from './table-deeds.ts';
import type { Assembly } from './template.ts';

/** What became of the rights since the gates opened, a sentence each. */
export interface Report {
  /** Rights, and patterns of partition keys in them, without which every request so far would have been allowed as well. */
  unused: string[];
  refused: string[];
}

export interface Gates {
  /** `AWS_ENDPOINT_URL_*` of a function: its own gate, which knows its rights by the port. */
  endpointsOf(functionName: string): Record<string, string>;
  report(): Report;
  stop(): Promise<void>;
}

/** Says no as AWS does. */
function refuse(response: ServerResponse, service: Service, user: string, { action, resource }: Deed): void {
  const reason = `because no identity-based policy allows the ${action} action`;
  const message = `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
  if (service !== 'S3') {
    const body = JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', message });
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
    return;
  }
  const text = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>${text}</Message></Error>`;
  response.writeHead(403, { 'content-type': 'application/xml' }).end(body);
}

/** The rights of a function, with a record of their use. */
function warden({ rights, description }: Grants) {
  const used = new Set<Right | KeyPattern>();
  const granted = rights.filter(({ allows }) => allows).flatMap((right) => [right, ...right.keyPatterns]);
  const refused = new Set<string>();
  return {
    allows(deed: Deed): boolean {
      const by = allowing(rights, deed);
      // Of two that allow the same, neither is needed.
      const [only, other] = by;
      if (only && !other) {
        used.add(only);
        const keys = deed.context[leadingKeys] ?? [];
        for (const pattern of only.keyPatterns) if (keys.some(pattern.matches)) used.add(pattern);
      }
      if (by.length === 0) refused.add(`${description}: ${deed.action} on ${deed.resource}`);
      return by.length > 0;
    },
    report: (): Report => ({
      unused: [...new Set(granted)].filter((one) => !used.has(one)).map(({ text }) => `${description}: ${text}`),
      refused: [...refused],
    }),
  };
}

/** What all gates have in common. */
interface Beyond {
  /** `AWS_ENDPOINT_URL_*` of the services. */
  endpoints: Record<string, string>;
  partitionKeys: PartitionKeys;
  agent: Agent;
}

/** Opens the gate of a function: what its rights allow passes as it came, its signed `Host` too. */
async function openGate(grants: Grants, { endpoints, partitionKeys, agent }: Beyond) {
  const { allows, report } = warden(grants);

  /** The service's own answer. What neither side waits for any more is ended. */
  async function answerOf(service: Service, request: IncomingMessage, body: Buffer, response: ServerResponse) {
    const { hostname: host, port } = new URL(endpoints[`AWS_ENDPOINT_URL_${service}`] ?? '');
    const { method, url: path, headers } = request;
    const asked = ask({ host, port, method, path, headers, agent }).end(body);
    response.on('close', () => response.writableFinished || asked.destroy());
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    asked.on('error', () => {}); // told by the answer
    return answer;
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isWelcome(request)) return void response.writeHead(403).end();
    const { method = '', url: path = '/', headers } = request;
    const body = await buffer(request);
    const service = serviceOf(headers);
    // A browser asks whether it may send a form, without saying who it is.
    const deeds = method === 'OPTIONS' ? [] : await deedsOf({ method, path, headers }, body, partitionKeys);
    const wrong = deeds.find((deed) => !allows(deed));
    if (wrong) return refuse(response, service, grants.user, wrong);
    const answer = await answerOf(service, request, body, response);
    // That there is no such object, S3 tells only those who may list the bucket.
    const look = listing(placeOf(path).bucket);
    if (service === 'S3' && answer.statusCode === 404 && !allows(look)) {
      answer.resume();
      return refuse(response, service, grants.user, look);
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(answer, response);
  }

  const server = createServer((request, response) => {
    // The service is gone, or whoever asked.
    pass(request, response).catch(() => request.socket.destroy());
  });
  server.keepAliveTimeout = 0; // else a function may write to a connection that is just being closed
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { functionName: grants.functionName, url, server, report };
}

/** Opens a gate for each function of the templates, in front of the services. Throws where its policies are not known here. */
export async function startGates(assembly: Assembly, endpoints: Record<string, string>): Promise<Gates> {
  const agent = new Agent({ keepAlive: true });
  const beyond = { endpoints, partitionKeys: partitionKeysOf(assembly), agent };
  const opened = await Promise.all(grantsOf(assembly).map((grants) => openGate(grants, beyond)));
  const gates = new Map(opened.map((gate) => [gate.functionName, gate]));
  return {
    endpointsOf: (functionName) => {
      const url = gates.get(functionName)?.url ?? '';
      return Object.fromEntries(Object.keys(endpoints).map((name) => [name, url]));
    },
    report: () => {
      const reports = opened.map(({ report }) => report());
      return { unused: reports.flatMap(({ unused }) => unused), refused: reports.flatMap(({ refused }) => refused) };
    },
    stop: async () => {
      for (const { server } of opened) {
        server.closeAllConnections();
        server.close();
      }
      agent.destroy();
    },
  };
}
