import { FunctionRunner, type FunctionSpec } from '../../infra/local/lambda/function-runner.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';

/** Runs a function behind a faulty proxy for all its requests to AWS. Tests can kill its process. */
export class ProxiedRunner extends FunctionRunner {
  readonly proxy: FaultyProxy;
  readonly #start: () => FunctionRunner;
  #runner: FunctionRunner;
  /** Number of started processes. */
  startCount = 1;

  /** Creates a runner. One proxy is enough, because all endpoints of a function have the same address. */
  static async create(spec: FunctionSpec, log: (chunk: Buffer) => void): Promise<ProxiedRunner> {
    const names = Object.keys(spec.environment).filter((name) => name.startsWith('AWS_ENDPOINT_URL_'));
    const proxy = await startFaultyProxy(spec.environment[names[0] ?? ''] ?? '');
    const endpoints = Object.fromEntries(names.map((name) => [name, proxy.url]));
    return new ProxiedRunner({ ...spec, environment: { ...spec.environment, ...endpoints } }, log, proxy);
  }

  private constructor(spec: FunctionSpec, log: (chunk: Buffer) => void, proxy: FaultyProxy) {
    super(spec, log);
    this.proxy = proxy;
    this.#start = () => new FunctionRunner(spec, log);
    this.#runner = this.#start();
  }

  override invoke(...invocation: Parameters<FunctionRunner['invoke']>): Promise<unknown> {
    return this.#runner.invoke(...invocation);
  }

  /** Kills the process with SIGKILL. The next event starts a new one. */
  async kill(): Promise<void> {
    const killed = this.#runner;
    this.#runner = this.#start();
    this.startCount += 1;
    await killed.stop();
  }

  override async stop(): Promise<void> {
    await this.#runner.stop();
    this.proxy.stop();
  }
}
