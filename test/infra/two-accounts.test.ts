import { readFileSync } from 'node:fs';
import { parseYaml } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { settingNames } from '#infra/settings/config.ts';
import { boundaryName } from '#tools/stacks/deployment-rights.ts';
import { findAll, synthesize, type TemplateJson } from './synthesize.ts';

interface Job {
  readonly needs?: string;
  readonly environment: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const text = readFileSync('docs/examples/two-accounts/deploy.yml', 'utf8');
const { jobs } = parseYaml(text) as { jobs: Record<'staging' | 'production', Job> };

/** The settings of each command of a job that runs the CDK. */
function listSettings({ steps }: Job): Readonly<Record<string, string>>[] {
  const commands = steps.flatMap(({ run = '' }) => (run.startsWith('npx cdk') ? [run] : []));
  return commands.map((command) =>
    Object.fromEntries(
      [...command.matchAll(/ -c (\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
    ),
  );
}

describe('the workflow for two accounts', () => {
  it('deploys production after staging, each by a role of its own environment', () => {
    expect(Object.keys(jobs)).toEqual(['staging', 'production']);
    expect(jobs.production.needs).toBe('staging');
    for (const [name, { environment, permissions, steps }] of Object.entries(jobs)) {
      expect(environment).toBe(name);
      expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' });
      expect(JSON.stringify(steps)).toContain('vars.AWS_DEPLOY_ROLE_ARN');
    }
    expect(text).not.toMatch(/AWS_ACCESS_KEY_ID|AWS_SECRET_ACCESS_KEY/);
  });

  it('uses the same actions as the workflow of this repository', () => {
    const pinned = readFileSync('.github/workflows/deploy.yml', 'utf8');
    const uses = text.match(/uses: \S+/g) ?? [];
    expect(uses.length).toBe(6);
    expect(uses.filter((each) => !pinned.includes(each))).toEqual([]);
  });

  it.each(Object.entries(jobs))('synthesizes for %s, with the boundary', (_, job) => {
    const [settings, ...others] = listSettings(job);
    // What is compared is what is deployed.
    for (const other of others) expect(other).toEqual(settings);
    expect(Object.keys(settings!).filter((name) => !settingNames.includes(name))).toEqual([]);
    const templates = Object.values<TemplateJson>({ ...synthesize(settings) });
    const roles = templates.flatMap((template) => findAll(template, 'AWS::IAM::Role'));
    expect(roles.length).toBeGreaterThan(50);
    expect(
      JSON.stringify(roles.map(([, { Properties }]) => Properties.PermissionsBoundary)),
    ).toContain(boundaryName);
  });
});
