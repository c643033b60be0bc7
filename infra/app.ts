import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { routes } from '../shared/routes/index.ts';
import { buildConsole } from './bundle/console.ts';
import { bundleFunctions } from './bundle/functions.ts';
import { copyParserData } from './bundle/parser-data.ts';
import { getSettings, toStackName } from './config.ts';
import { checkDiscovery } from './settings/discovery.ts';
import { nonRouteFunctions } from './stacks/non-route-functions.ts';
import { review } from './stacks/review.ts';
import { ServiceStack } from './stacks/service.ts';
import { run } from './terminal/user-error.ts';

run(async () => {
  const app = new App();
  const name: string = app.node.tryGetContext('env');
  const configured = getSettings(name);
  await checkDiscovery(name, configured);
  const isUnprotected = app.node.tryGetContext('deletionProtection') === 'false';
  const settings = isUnprotected ? { ...configured, deletionProtection: false } : configured;

  const bundles = join(app.outdir, 'bundles');
  await bundleFunctions([...routes.map(({ id }) => id), ...nonRouteFunctions], bundles);
  copyParserData(join(bundles, 'ingest'), settings.knowledgeBases.ocrLanguages);

  const consoleFolder = settings.console && (await buildConsole());

  const { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION } = process.env;
  const { account = CDK_DEFAULT_ACCOUNT, region = CDK_DEFAULT_REGION } = settings;
  const env = { account, region };
  new ServiceStack(app, toStackName(name), { env, settings, environment: name, bundles, consoleFolder });
  review(app, settings);
  app.synth();
});
