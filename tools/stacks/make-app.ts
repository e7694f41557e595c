import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import * as v from 'valibot';

export type Context = Readonly<Record<string, string>>;

const CdkJson = v.object({ context: v.record(v.string(), v.unknown()) });

const cdkJson = join(import.meta.dirname, '../../cdk.json');

/** The flags that the command line gives the app: without them the templates would be others. */
export const { context: flags } = v.parse(CdkJson, JSON.parse(readFileSync(cdkJson, 'utf8')));

/** As the command line makes it, but for the bundling of functions, which takes seconds. */
export function makeApp(context: Context, props: AppProps = {}): App {
  return new App({
    ...props,
    context: {
      ...flags,
      'aws:cdk:bundling-stacks': [],
      'aws:cdk:enable-path-metadata': true,
      ...context,
    },
  });
}
