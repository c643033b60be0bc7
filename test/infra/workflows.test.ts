import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Job {
  permissions?: Record<string, string>;
  environment?: string;
  steps?: Step[];
}

interface Workflow {
  name: string;
  permissions?: object;
  jobs: Record<string, Job>;
}

const files = globSync('.github/workflows/*.yml');
const workflows = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const jobs = workflows.flatMap(({ file, text }) =>
  Object.entries((parse(text) as Workflow).jobs).map(([name, job]) => ({ name: `${file}: ${name}`, ...job })),
);
const steps = jobs.flatMap(({ name, steps = [] }) => steps.map((step) => ({ job: name, ...step })));
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

describe('the workflows', () => {
  test.each(workflows)('grant no permissions to all jobs: $file', ({ text }) => {
    expect(Object.keys(parse(text).jobs).length).toBeGreaterThan(0);
    expect(parse(text).permissions).toEqual({});
  });

  test.each(jobs)('grant each job only listed permissions, and none to write code: $name', ({ permissions }) => {
    expect(permissions).toBeDefined();
    expect([undefined, 'read']).toContain(permissions?.contents);
  });

  test('never run the code of a pull request in a job with write permissions', () => {
    const writers = jobs.filter(({ permissions }) => permissions?.['pull-requests'] === 'write');
    expect(writers.map(({ name }) => name)).toEqual(['.github/workflows/pull-request.yml: comment']);
    for (const { steps = [] } of writers) expect(steps.filter(({ uses }) => uses)).toEqual([]);
  });

  test.each(workflows)('pin each action to a commit and name its release: $file', ({ text }) => {
    const used = [...text.matchAll(/uses: +(?!\.\/)(.*)/g)].map(([, action]) => action);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test.each(workflows)('use no AWS key and no secret: $file', ({ text }) => {
    expect(text).not.toMatch(/secrets\.|aws-access-key-id|aws-secret-access-key/);
  });

  test.each(steps.filter(({ run }) => run))('run valid bash without interpolated expressions: $job', ({ run }) => {
    execFileSync('bash', ['-n'], { input: run ?? '' });
    expect(run).not.toMatch(/\$\{\{/);
  });

  test('run existing npm scripts only', () => {
    const commands = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name));
    expect(commands).toContain('smoke');
    for (const command of commands) expect(scripts).toHaveProperty([command ?? '']);
  });

  test('lint templates with the command from CONTRIBUTING.md, and fail on errors only', () => {
    const [command, ...others] = steps.flatMap(({ run = '' }) => run.match(/.*cfn-lint.*/g) ?? []);
    expect(others).toEqual([]);
    expect(command).toContain('--non-zero-exit-code error');
    expect(readFileSync('CONTRIBUTING.md', 'utf8')).toContain(`  ${command}\n`);
  });

  test('deploy only through a role, in an environment that can require approval', () => {
    const deploying = jobs.filter(({ steps = [] }) => steps.some(({ run }) => run?.includes('cdk deploy')));
    expect(deploying).toHaveLength(1);
    expect(deploying[0]?.environment).toContain('inputs.environment');
    expect(deploying[0]?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  });
});

describe('the template of the AWS roles', () => {
  interface Role {
    Type: string;
    Properties: {
      AssumeRolePolicyDocument: { Statement: { Condition: { StringEquals: Record<string, string> } }[] };
      Policies: { PolicyDocument: { Statement: { Action: string | string[] }[] } }[];
    };
  }

  // Parses CloudFormation's short forms as their arguments.
  const customTags = ['Equals', 'If', 'Ref', 'Sub', 'GetAtt'].flatMap((name) => [
    { tag: `!${name}`, resolve: (text: string) => text },
    { tag: `!${name}`, collection: 'seq' as const },
  ]);
  const text = readFileSync('.github/aws-roles.yml', 'utf8');
  const { Parameters, Resources } = parse(text, { customTags });
  const { Deploy, Diff } = Resources as Record<'Deploy' | 'Diff', Role>;

  // CloudFormation matches a pattern against the whole value.
  const repository = new RegExp(`^(?:${Parameters.Repository.AllowedPattern})$`);

  test.each(['octo-org/octo.repo', 'Octo-Org@123456/octo_repo@456789'])(
    'accepts repositories as tokens name them, with and without ids: %s',
    (name) => {
      expect(name).toMatch(repository);
    },
  );

  test.each([
    'octo-org@123456/octo-repo',
    'octo-org/octo-repo@456789',
    'octo-org@*/octo-repo@*',
    'octo-org/*',
    'octo-org/octo-repo:*',
    'octo-org@/octo-repo@',
  ])('rejects patterns that could match another repository: %s', (name) => {
    expect(name).not.toMatch(repository);
  });

  test('trusts one repository: one environment may deploy, and pull requests may only compare', () => {
    const subjects = [Deploy, Diff].map(({ Properties }) =>
      Properties.AssumeRolePolicyDocument.Statement.map(
        ({ Condition }) => Condition.StringEquals['token.actions.githubusercontent.com:sub'],
      ),
    );
    const [[deploys = ''] = [], [compares = ''] = []] = subjects;
    expect(subjects.flat()).toHaveLength(2);
    expect(text).not.toContain('StringLike');
    expect(deploys).toMatch(/^repo:\$\{Repository\}:environment:\$\{Environment\}$/);
    expect(compares).toMatch(/^repo:\$\{Repository\}:pull_request$/);
  });

  test('lets pull requests read templates, but no user data', () => {
    const actions = Diff.Properties.Policies.flatMap(({ PolicyDocument }) =>
      PolicyDocument.Statement.flatMap(({ Action }) => Action),
    );
    expect(actions).toEqual([
      'cloudformation:DescribeStackResources',
      'cloudformation:DescribeStacks',
      'cloudformation:GetTemplate',
      'cloudformation:ListStackResources',
      'ssm:GetParameter',
    ]);
  });
});
