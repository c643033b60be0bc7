import { join } from 'node:path';
import { credentials } from './emulators/emulator.ts';
import { FunctionRunner, type FunctionSpec } from './function-runner.ts';
import { onlyVersion } from './released.ts';
import type { Services } from './services.ts';
import type { Resource } from './template.ts';

interface LambdaProperties {
  FunctionName: string;
  Description: string;
  Handler: string;
  MemorySize: number;
  Timeout: number;
  Environment: { Variables: Record<string, unknown> };
}

/** What functions need of the services. */
interface Needed {
  assembly: Services['assembly'];
  gates: Pick<Services['gates'], 'endpointsOf'>;
}

/** A function as its template describes it. Its environment is the template's, and what Lambda adds. */
function specOf({ Properties, Metadata, stack }: Resource, { assembly, gates }: Needed): FunctionSpec {
  const { FunctionName, Description, Handler, MemorySize, Timeout, Environment } =
    Properties as unknown as LambdaProperties;
  const folder = join(assembly.dir, Metadata?.['aws:asset:path'] ?? '');
  const variables = assembly.value(Environment.Variables, stack) as Record<string, string>;
  return {
    name: FunctionName,
    description: Description,
    entry: join(folder, `${Handler.split('.')[0]}.js`),
    memoryMb: MemorySize,
    timeoutSeconds: Timeout,
    environment: {
      ...variables,
      ...gates.endpointsOf(FunctionName),
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

/** A runner for each function of the templates, by the function's name. `log` gets what they print. */
export function functionRunners(services: Needed, log: (chunk: Buffer) => void): Map<string, FunctionRunner> {
  const specs = services.assembly.functions().map((resource) => specOf(resource, services));
  return new Map(specs.map((spec) => [spec.name, new FunctionRunner(spec, log)]));
}
