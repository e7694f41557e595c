import { CfnOutput, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { writePolicy } from '#console/serving/console-headers.ts';
import { describeSignIn } from '#console/serving/describe-sign-in.ts';
import { ConsoleDistribution } from '../constructs/console/console-distribution.ts';
import { ConsoleFiles } from '../constructs/console/console-files.ts';
import type { ConsoleSettings } from '../settings/config.ts';
import type { DataStack } from './data-stack.ts';
import type { ServiceStack } from './service-stack.ts';

export interface ConsoleStackProps extends StackProps {
  readonly settings: ConsoleSettings;
  readonly data: DataStack;
  readonly service: ServiceStack;
}

/**
 * Serves the console and the API under one origin, so that pages need no CORS permission for the
 * API. Redirects to the storage then keep the page's origin.
 */
export class ConsoleStack extends Stack {
  constructor(scope: Construct, id: string, props: ConsoleStackProps) {
    const { settings, data, service, ...stack } = props;
    super(scope, id, stack);
    const files = new ConsoleFiles(this, 'Files');
    const signIn = describeSignIn(settings, data.identity, data.signInHost);
    const { domainName } = new ConsoleDistribution(this, 'Pages', {
      bucket: files.bucket,
      apiHost: Fn.select(2, Fn.split('/', service.baseUrl)),
      domain: settings.domain,
      policy: writePolicy([
        `https://${data.files.inputs.bucketRegionalDomainName}`,
        `https://${data.files.results.bucketRegionalDomainName}`,
        ...signIn.origins,
      ]),
    });
    files.deploy({ api: '', ...signIn.config });
    const origin = settings.origin ?? `https://${domainName}`;
    new CfnOutput(this, 'ConsoleUrl', { value: `${origin}/console/` });
    new CfnOutput(this, 'ConsoleTarget', { value: domainName });
  }
}
