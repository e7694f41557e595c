import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, CfnResource, Stack } from 'aws-cdk-lib';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { checkBestPractices } from '#infra/check-best-practices.ts';
import { readConfig } from '#infra/settings/config.ts';
import { addStacks } from '#infra/stacks/add-stacks.ts';
import { variants } from '#tools/stacks/make-app.ts';
import { writeBucketCatalog } from './bucket-catalog.ts';
import {
  type Context,
  makeApp,
  production,
  withConsole,
  withConsolePages,
  withDomain,
  withNetwork,
} from './synthesize.ts';

/** All options at once, but for an issuer, which only takes something away: the user directory. */
const everything: Context = {
  ...production,
  ...withDomain,
  ...withConsole,
  ...withNetwork,
  ...withConsolePages,
  alarmEmail: 'ops@example.org',
};

const buckets: Context = { catalog: writeBucketCatalog('practised') };

describe('the AwsSolutions and Serverless packs, and the rules of CloudFormation', () => {
  it.each(
    Object.entries({
      ...variants,
      'prod, with domain, console, network and mail': everything,
      'buckets of a catalog': buckets,
    }),
  )('have nothing to say of %s', (_, context) => {
    expect(findingsOf(build(context))).toEqual([]);
  });

  it('have something to say each where something is wrong', () => {
    const careless = makeApp({});
    const stack = new Stack(careless, 'careless');
    new Bucket(stack, 'Bucket');
    new CfnLogGroup(stack, 'LogGroup');
    new CfnResource(stack, 'Topic', misspelt);
    checkBestPractices(careless);
    expect(findingsOf(careless)).toEqual(
      expect.arrayContaining([
        'AwsSolutions-S10',
        'Serverless-CloudWatchLogGroupRetentionPeriod',
        'F3002',
      ]),
    );
  });
});

const misspelt = { type: 'AWS::SNS::Topic', properties: { TopicNam: 'a' } };

function build(context: Context): App {
  const app = makeApp(context);
  addStacks(app, readConfig(app.node));
  checkBestPractices(app);
  return app;
}

const Report = v.object({
  pluginReports: v.array(v.object({ violations: v.array(v.object({ ruleName: v.string() })) })),
});

/** Errors and warnings alike; a finding that was acknowledged is not among them. */
function findingsOf(app: App): string[] {
  let thrown: unknown;
  try {
    app.synth();
  } catch (error) {
    thrown = error;
  }
  const file = join(app.outdir, 'validation-report.json');
  const { pluginReports } = v.parse(Report, JSON.parse(readFileSync(file, 'utf8')));
  const findings = pluginReports.flatMap(({ violations }) =>
    violations.map(({ ruleName }) => ruleName),
  );
  if (thrown !== undefined && findings.length === 0) throw thrown;
  return findings;
}
