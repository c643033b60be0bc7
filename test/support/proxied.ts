import { FunctionRunner, type FunctionSpec } from '../../infra/local/function-runner.ts';
import { type FaultyProxy, faultyProxy } from './faulty-proxy.ts';

/** A function whose only way to AWS is a proxy, and whose process can be killed. */
export class ProxiedRunner extends FunctionRunner {
  readonly proxy: FaultyProxy;
  readonly #start: () => FunctionRunner;
  #runner: FunctionRunner;
  /** How many processes have been killed, and the first. */
  started = 1;

  /** The gate of a function has one address for all services. */
  static async of(spec: FunctionSpec, log: (chunk: Buffer) => void): Promise<ProxiedRunner> {
    const names = Object.keys(spec.environment).filter((name) => name.startsWith('AWS_ENDPOINT_URL_'));
    const proxy = await faultyProxy(spec.environment[names[0] ?? ''] ?? '');
    const endpoints = Object.fromEntries(names.map((name) => [name, proxy.url]));
    return new ProxiedRunner({ ...spec, environment: { ...spec.environment, ...endpoints } }, log, proxy);
  }

  private constructor(spec: FunctionSpec, log: (chunk: Buffer) => void, proxy: FaultyProxy) {
    super(spec, log);
    this.proxy = proxy;
    this.#start = () => new FunctionRunner(spec, log);
    this.#runner = this.#start();
  }

  override invoke(event: unknown): Promise<unknown> {
    return this.#runner.invoke(event);
  }

  /** Ends what it is at by SIGKILL. The next event finds a new process. */
  async kill(): Promise<void> {
    const killed = this.#runner;
    this.#runner = this.#start();
    this.started += 1;
    await killed.stop();
  }

  override async stop(): Promise<void> {
    await this.#runner.stop();
    this.proxy.stop();
  }
}
