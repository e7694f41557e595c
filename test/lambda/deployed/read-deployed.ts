import { join } from 'node:path';
import * as v from 'valibot';
import { readConfig } from '#infra/settings/config.ts';
import { addStacks } from '#infra/stacks/add-stacks.ts';
import { audience, issuer } from '#local/names.ts';
import { functionFiles } from '#tools/bundles/build-bundles.ts';
import { type Context, makeApp } from '#tools/stacks/make-app.ts';
import { findAll, joinServing, readTemplates } from '#tools/stacks/templates.ts';
import type { DeployedFunction } from './deployed-function.ts';

const LambdaProperties = v.object({
  Description: v.string(),
  Handler: v.string(),
  MemorySize: v.number(),
  Timeout: v.number(),
  Environment: v.object({ Variables: v.record(v.string(), v.unknown()) }),
});

/** A stage that trusts the laptop's issuer. */
export const ofLaptop: Context = {
  stage: 'laptop',
  issuer,
  audience,
  jwksUri: 'https://127.0.0.1/keys.json',
};

/** Every function as it is synthesized. */
export function readDeployed(
  bundles: string,
  outdir: string,
  context: Context,
): DeployedFunction[] {
  const app = makeApp(context, { outdir, builtinCloudFormationValidation: false });
  const templates = readTemplates(addStacks(app, readConfig(app.node)));
  const made = findAll(joinServing(templates), 'AWS::Lambda::Function').flatMap(
    ([, { Properties }]) => {
      const { success, output } = v.safeParse(LambdaProperties, Properties);
      return success ? [output] : [];
    },
  );
  return Object.keys(functionFiles).map((name) => {
    const found = made.find(({ Description }) => Description === `Slipway: ${name}`);
    if (!found) throw new Error(`The template has no function ${name}.`);
    const { Handler, MemorySize, Timeout, Environment } = found;
    return {
      name,
      directory: join(bundles, name),
      handler: Handler,
      memory: MemorySize,
      seconds: Timeout,
      variables: Object.fromEntries(
        Object.entries(Environment.Variables).map(([variable, value]) => [
          variable,
          literal(value),
        ]),
      ),
    };
  });
}

/** A text without references: what else there is, CloudFormation fills in. */
function literal(value: unknown): string | undefined {
  return typeof value === 'string' && !value.includes('{{resolve:') ? value : undefined;
}
