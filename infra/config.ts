import type { Node } from 'constructs';
import * as v from 'valibot';

const text = v.pipe(v.string(), v.minLength(1));

/** What an operator decides, with `-c name=value` or in cdk.json. */
const ContextSchema = v.object({
  stage: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z][a-z0-9]{0,15}$/, 'stage: lower-case letters and digits')),
    'dev',
  ),
  issuer: v.optional(v.pipe(text, v.url('issuer: an https address'))),
  audience: v.optional(text),
});

export type DeployConfig = v.InferOutput<typeof ContextSchema> & {
  /** Whether losing the data would hurt. */
  readonly production: boolean;
};

/** Reads the context once: constructs take what they need from here and never look for it. */
export function readConfig(node: Node): DeployConfig {
  const given = Object.fromEntries(
    Object.keys(ContextSchema.entries).flatMap((name) => {
      const value: unknown = node.tryGetContext(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const result = v.safeParse(ContextSchema, given);
  if (!result.success) {
    const problems = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
    throw new Error(`The CDK context is not valid. ${problems.join('; ')}`);
  }
  return { ...result.output, production: result.output.stage === 'prod' };
}
