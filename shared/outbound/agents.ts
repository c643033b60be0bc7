import { constants } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DEFAULT_CIPHERS, type TLSSocket } from 'node:tls';
import { RequestFilteringHttpAgent } from 'request-filtering-agent';
import { allowedHosts } from './check-url.ts';
import { limitKept } from './limit-kept.ts';
import { limitRecords } from './limit-records.ts';
import { lookUp } from './look-up.ts';
import { isExempt } from './url-rules.ts';

/** Options of TLS. Without DHE, for which a server may choose a group of 10,000 bits: a handshake would take more than a second. */
const tlsOptions = { secureOptions: constants.SSL_OP_NO_RENEGOTIATION, ciphers: `${DEFAULT_CIPHERS}:!DHE` };

/** An agent for HTTPS that opens connections as an agent for HTTP does, and limits what comes on them. */
class LimitedAgent extends HttpsAgent {
  readonly #http: HttpAgent;
  constructor(http: HttpAgent, options?: AgentOptions) {
    super({ ...options, ...tlsOptions });
    this.#http = http;
  }

  override createConnection(options: RequestOptions, callback?: (error: Error | null, socket: Duplex) => void) {
    const halfOpen = { ...options, allowHalfOpen: true }; // TLS says that it ends after the server has ended
    const connection = this.#http.createConnection(halfOpen) as Socket;
    return limitRecords(
      connection,
      (socket) => super.createConnection({ ...options, socket } as RequestOptions, callback) as TLSSocket,
    );
  }
}

/** Checks each address that a name resolves to when it connects, so that a second DNS answer cannot differ. */
const filtering = new RequestFilteringHttpAgent();
const plain = new HttpAgent();
const keepOptions = { keepAlive: true, maxFreeSockets: 2, timeout: 60_000 };

const agents = {
  public: {
    single: new LimitedAgent(filtering, { lookup: lookUp }),
    kept: new LimitedAgent(filtering, { lookup: lookUp, ...keepOptions }),
  },
  exempt: { single: new LimitedAgent(plain), kept: new LimitedAgent(plain, keepOptions) },
  http: { single: plain, kept: new HttpAgent(keepOptions) },
};
for (const { kept } of Object.values(agents)) limitKept(kept, 20); // a function has 1,024 file descriptors

/** Returns the agent for a URL that findUrlFault allows. With `keepAlive`, it keeps connections for later requests. */
export function getAgent(url: URL, keepAlive: boolean): HttpAgent {
  const kind = !isExempt(url, allowedHosts) ? 'public' : url.protocol === 'https:' ? 'exempt' : 'http';
  return agents[kind][keepAlive ? 'kept' : 'single'];
}
