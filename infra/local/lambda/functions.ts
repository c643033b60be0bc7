import { join } from 'node:path';
import { credentials } from '../emulators/emulator.ts';
import type { Services } from '../services.ts';
import type { Resource } from '../template.ts';
import { onlyVersion } from './aliases.ts';
import { FunctionRunner, type FunctionSpec } from './function-runner.ts';

interface LambdaProperties {
  FunctionName: string;
  Description: string;
  Handler: string;
  MemorySize: number;
  Timeout: number;
  Environment: { Variables: Record<string, unknown> };
}

/** The services that runners depend on. */
interface RunnerServices {
  assembly: Services['assembly'];
  proxies: Pick<Services['proxies'], 'getEndpoints'>;
}

/** Lets functions that request addresses of clients also reach this machine, where receivers run during development. Its services refuse them. */
const allowThisMachine = ({ OUTBOUND_ALLOW }: Record<string, string>): Record<string, string> =>
  OUTBOUND_ALLOW === undefined
    ? {}
    : { OUTBOUND_ALLOW: [OUTBOUND_ALLOW, '127.0.0.1:*', 'localhost:*'].filter(Boolean).join(',') };

/** Returns the spec of a function. Its environment has the template's variables and those that Lambda sets. */
function toFunctionSpec(
  { Properties, Metadata, stack }: Resource,
  { assembly, proxies: gates }: RunnerServices,
): FunctionSpec {
  const { FunctionName, Description, Handler, MemorySize, Timeout, Environment } =
    Properties as unknown as LambdaProperties;
  const folder = join(assembly.dir, Metadata?.['aws:asset:path'] ?? '');
  const variables = assembly.resolve(Environment.Variables, stack) as Record<string, string>;
  return {
    name: FunctionName,
    description: Description,
    entry: join(folder, `${Handler.split('.')[0]}.js`),
    memoryMb: MemorySize,
    timeoutSeconds: Timeout,
    environment: {
      ...variables,
      ...allowThisMachine(variables),
      ...gates.getEndpoints(FunctionName),
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_NAME: FunctionName,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
      AWS_LAMBDA_FUNCTION_VERSION: onlyVersion,
      LAMBDA_TASK_ROOT: folder,
      TZ: ':UTC',
    },
  };
}

/** Creates a runner for each function of the templates, by function name. `log` receives the functions' output. */
export function createFunctionRunners(
  services: RunnerServices,
  log: (chunk: Buffer) => void,
): Map<string, FunctionRunner> {
  const specs = services.assembly.listFunctions().map((resource) => toFunctionSpec(resource, services));
  return new Map(specs.map((spec) => [spec.name, new FunctionRunner(spec, log)]));
}
