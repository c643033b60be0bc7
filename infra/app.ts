import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { routes } from '../shared/routes/index.ts';
import { bundle } from './bundle.ts';
import { settingsOf, stackNameOf } from './config.ts';
import { buildConsole } from './console/build.ts';
import { checkDiscovery } from './discovery.ts';
import { noRoutes } from './no-routes.ts';
import { run } from './problem.ts';
import { copyReadingData } from './reading-data.ts';
import { review } from './review.ts';
import { ServiceStack } from './stack.ts';

run(async () => {
  const app = new App();
  const name: string = app.node.tryGetContext('env');
  const configured = settingsOf(name);
  await checkDiscovery(name, configured);
  const isUnprotected = app.node.tryGetContext('deletionProtection') === 'false';
  const settings = isUnprotected ? { ...configured, deletionProtection: false } : configured;

  const bundles = join(app.outdir, 'bundles');
  await bundle([...routes.map(({ id }) => id), ...noRoutes], bundles);
  copyReadingData(join(bundles, 'ingest'), { ocr: true });

  const consoleFolder = settings.console && (await buildConsole());

  const { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION } = process.env;
  const { account = CDK_DEFAULT_ACCOUNT, region = CDK_DEFAULT_REGION } = settings;
  const env = { account, region };
  new ServiceStack(app, stackNameOf(name), { env, settings, environment: name, bundles, consoleFolder });
  review(app, settings);
  app.synth();
});
