import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';

interface Job {
  readonly if?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const directory = '.github/workflows';
const workflows = new Map(
  readdirSync(directory).map((file): [string, Workflow] => [
    file,
    parseYaml(readFileSync(join(directory, file), 'utf8')) as Workflow,
  ]),
);
const jobs = [...workflows].flatMap(([file, workflow]) =>
  Object.entries(workflow.jobs).map(([name, job]) => ({ file, name, job, workflow })),
);

/** Who may ask GitHub for a token that the account believes. */
const trusted = jobs.filter(({ job, workflow }) =>
  [workflow.permissions, job.permissions].some((granted) => granted?.['id-token'] === 'write'),
);

describe('the workflows', () => {
  it('get into the account in two places', () => {
    const signsIn = ({ job }: { readonly job: Job }) =>
      job.steps.some(({ uses }) => uses?.startsWith('aws-actions/'));
    expect(jobs.filter(signsIn).map(({ file }) => file)).toEqual(['deploy.yml', 'diff.yml']);
    expect(trusted.filter((each) => !signsIn(each)).map(({ file }) => file)).toEqual([
      'release.yml',
      'release.yml',
    ]);
  });

  it('sign the files of a release in a job that executes nothing of the repository', () => {
    const { publish } = workflows.get('release.yml')!.jobs;
    expect(publish?.steps.map(({ uses }) => uses?.split('@')[0])).toEqual([
      'actions/download-artifact',
      'actions/attest-build-provenance',
      undefined,
    ]);
    expect(publish?.steps.at(-1)?.run).toMatch(/^gh release create [^\n]+$/);
    expect(workflows.get('release.yml')?.on).toEqual({ push: { tags: ['v*'] } });
  });

  it('publish packages in such a job too, once somebody has set that up', () => {
    const { registries } = workflows.get('release.yml')!.jobs;
    expect(registries?.if).toBe("vars.PUBLISH_PACKAGES == 'true'");
    expect(registries?.permissions).toEqual({ 'id-token': 'write' });
    expect(registries?.steps.map(({ uses, run }) => uses?.split('@')[0] ?? run)).toEqual([
      'actions/setup-node',
      'actions/download-artifact',
      expect.stringMatching(/^npm install --global npm@[\d.]+$/),
      'npm publish --provenance --access public release/*.tgz',
      expect.stringMatching(
        /^pipx run uv==[\d.]+ publish --trusted-publishing always release\/\*\.whl /,
      ),
    ]);
  });

  it.each([...workflows])('may read the repository and no more by default: %s', (_, workflow) => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  it.each(jobs)('leave no token of the repository behind: $file', ({ job }) => {
    for (const step of job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout'))) {
      expect(step.with).toMatchObject({ 'persist-credentials': false });
    }
  });
});

describe('a pull request', () => {
  it('runs its code where there is no way into the account', () => {
    const triggered = [...workflows].filter(([, { on }]) => 'pull_request' in on);
    expect(triggered.map(([file]) => file)).toEqual([
      'ci.yml',
      'codeql.yml',
      'dependency-review.yml',
      'synth.yml',
    ]);
    for (const { workflow } of trusted) {
      expect(workflow.on).not.toHaveProperty('pull_request');
      expect(workflow.on).not.toHaveProperty('pull_request_target');
    }
    expect(JSON.stringify(workflows.get('synth.yml'))).not.toMatch(/id-token|AWS_/);
  });

  it('is compared with prod by the code of the default branch, which only reads its templates', () => {
    const { on, jobs: own } = workflows.get('diff.yml')!;
    expect(Object.keys(on)).toEqual(['workflow_run']);
    const { steps } = own.diff!;
    const [checkout, ...others] = steps.filter(({ uses }) => uses?.startsWith('actions/checkout'));
    expect(checkout?.with).not.toHaveProperty('ref');
    expect(others).toEqual([]);
    const commands = steps.flatMap(({ run }) => run?.split('\n') ?? []);
    expect(commands.filter((line) => /^(npx|npm|node) /.test(line))).toEqual([
      'npm ci',
      expect.stringMatching(/^npx cdk diff --all --app templates --method=template /),
    ]);
    // What was fetched lies in a folder of its own, beside the code that is run.
    const fetched = steps.findIndex(({ uses }) => uses?.startsWith('actions/download-artifact'));
    expect(steps[fetched]?.with).toMatchObject({ name: 'templates', path: 'templates' });
    expect(steps.findIndex(({ run }) => run === 'npm ci')).toBeLessThan(fetched);
    expect(own.diff?.if).toContain('head_repository.full_name == github.repository');
  });
});

describe('prod', () => {
  const { on, jobs: own } = workflows.get('deploy.yml')!;
  const { deploy } = own;

  it.each([
    { what: 'a tag of a release', given: { ref_type: 'tag', ref_name: 'v1.2.3' }, deploys: true },
    { what: 'another tag', given: { ref_type: 'tag', ref_name: 'try' }, deploys: false },
    { what: 'a branch', given: { ref_type: 'branch', ref_name: 'main' }, deploys: false },
    { what: 'a branch called v2', given: { ref_type: 'branch', ref_name: 'v2' }, deploys: false },
  ])('takes $what: $deploys', ({ given, deploys }) => {
    for (const stage of ['prod', undefined])
      expect(evaluate(deploy?.if, given, stage)).toBe(deploys);
  });

  it('is what a pushed tag goes to; a branch may go to dev', () => {
    expect(on.push).toEqual({ tags: ['v*'] });
    expect(deploy?.environment).toBe(`\${{ inputs.stage || 'prod' }}`);
    expect(evaluate(deploy?.if, { ref_type: 'branch', ref_name: 'mend' }, 'dev')).toBe(true);
  });

  it('is for tags by rules that no branch can change, set up as docs/deploy.md says', () => {
    const page = readFileSync('docs/deploy.md', 'utf8');
    expect(page).toContain('"token.actions.githubusercontent.com:ref": $ref');
    expect(page).toMatch(/trust environment:prod 'refs\/tags\/v\*'/);
    expect(page).toMatch(/deployment-branch-policies.*-f name='v\*' -f type=tag/);
  });
});

describe('a deployment', () => {
  const steps = workflows.get('deploy.yml')?.jobs.deploy?.steps ?? [];
  const deploys = steps.findIndex(({ run }) => run?.startsWith('npx cdk deploy'));
  const { run: smoke = '', env } = steps[deploys + 1] ?? {};

  /** The step as it is written, with commands that say what they were given. */
  function play(variables: Readonly<Record<string, string>>) {
    const stubs = 'npm() { echo "as $SLIPWAY_TOKEN: npm $*"; }; jq() { echo https://api; }';
    const { PATH } = process.env;
    return spawnSync('bash', ['-e', '-c', `${stubs}\n${smoke}`], {
      encoding: 'utf8',
      env: { PATH, STAGE: 'prod', ...variables },
    });
  }

  it('is gone through as a user afterwards, at the address that it wrote down', () => {
    expect(steps[deploys]?.run).toContain('--outputs-file outputs.json');
    const { stdout, status } = play({
      SMOKE_TOKEN_COMMAND: 'echo "token of $SMOKE_SECRET"',
      SMOKE_SECRET: 'ada',
      SMOKE_SETTINGS: '--may-wait --hpc cluster',
    });
    expect(stdout.split('\n')).toEqual([
      '::add-mask::token of ada',
      'as token of ada: npm run smoke -- --base-url https://api --may-wait --hpc cluster',
      '',
    ]);
    expect(status).toBe(0);
    expect(Object.keys(env ?? {})).toEqual([
      'SMOKE_TOKEN_COMMAND',
      'SMOKE_SETTINGS',
      'SMOKE_SECRET',
    ]);
  });

  it('fails where no token can be had, and warns where none was asked for', () => {
    expect(play({ SMOKE_TOKEN_COMMAND: 'exit 3' }).status).not.toBe(0);
    expect(play({})).toMatchObject({ status: 0, stdout: expect.stringMatching(/^::warning::/) });
  });
});

/** The few words of GitHub's expressions that the condition is made of. */
function evaluate(
  condition: string | undefined,
  github: Readonly<Record<string, string>>,
  stage: string | undefined,
): unknown {
  const script = String(condition).replaceAll('==', '===');
  const startsWith = (text: string, start: string) => text.startsWith(start);
  return new Function('github', 'inputs', 'startsWith', `return ${script};`)(
    github,
    { stage },
    startsWith,
  );
}
