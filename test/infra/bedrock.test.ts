import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { environments, getSettings } from '../../infra/config.ts';
import { parseSettings } from '../../infra/settings.ts';
import { buildRouteStatements } from '../../infra/stacks/api/permissions.ts';
import { toResourceVariables } from '../../infra/stacks/api/resource-variables.ts';
import { Storage } from '../../infra/stacks/storage.ts';
import { routes } from '../../shared/routes/index.ts';

const settings = { ...getSettings('dev'), bedrock: { models: ['openai.gpt-oss-20b-1:0'] } };
const stack = new Stack(new App());
const storage = new Storage(stack, settings);

describe('the models of Bedrock that the settings name', () => {
  it('may be used by the functions that ask language models, and by no other', () => {
    const withRight = routes.filter((route) =>
      JSON.stringify(stack.resolve(buildRouteStatements(route, storage, settings))).includes('bedrock:'),
    );
    expect(withRight.map(({ id }) => id).toSorted()).toEqual(['completions/create', 'search/answer', 'vision/analyze']);
    const [route] = withRight;
    if (!route) throw new Error('No route asks a model');
    const statements = buildRouteStatements(route, storage, settings).map((one) => stack.resolve(one.toJSON()));
    expect(statements).toContainEqual({
      Effect: 'Allow',
      Action: ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'],
      Resource: {
        'Fn::Join': [
          '',
          [
            'arn:',
            { Ref: 'AWS::Partition' },
            ':bedrock:',
            { Ref: 'AWS::Region' },
            '::foundation-model/openai.gpt-oss-20b-1:0',
          ],
        ],
      },
    });
    expect(toResourceVariables(route, storage, settings)).toMatchObject({ BEDROCK_MODELS: 'openai.gpt-oss-20b-1:0' });
  });

  it.for([[[]], [['*']], [['a model']]])('cannot be %j', ([models]) => {
    expect(() => parseSettings('dev', { ...environments.dev, bedrock: { models } })).toThrow('bedrock.models');
  });
});
