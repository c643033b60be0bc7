import { join } from 'node:path';
import { App, Tags } from 'aws-cdk-lib';
import { routes } from '../shared/routes/index.ts';
import { bundle } from './bundle.ts';
import { service, settingsOf, stackNameOf } from './config.ts';
import { noRoutes } from './no-routes.ts';
import { copyReadingData } from './reading-data.ts';
import { review } from './review.ts';
import { ServiceStack } from './stack.ts';

const app = new App();
const name: string = app.node.tryGetContext('env');
const settings = settingsOf(name);

const bundles = join(app.outdir, 'bundles');
await bundle([...routes.map(({ id }) => id), ...noRoutes], bundles);
copyReadingData(join(bundles, 'ingest'), { ocr: true });

new ServiceStack(app, stackNameOf(name), {
  env: { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION },
  settings,
  environment: name,
  bundles,
});
Tags.of(app).add('service', service);
Tags.of(app).add('environment', name);
review(app);
app.synth();
