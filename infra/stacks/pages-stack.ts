import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { describeSignIn } from '#console/serving/describe-sign-in.ts';
import { ConsoleFiles } from '../constructs/console/console-files.ts';
import type { ConsoleSettings } from '../settings/config.ts';
import type { ConsoleStack } from './console-stack.ts';
import type { DataStack } from './data-stack.ts';
import type { ServiceStack } from './service-stack.ts';

export interface PagesStackProps extends StackProps {
  readonly settings: ConsoleSettings;
  readonly console: ConsoleStack;
  readonly data: DataStack;
  readonly service: ServiceStack;
}

/** The pages of the console. The last stack, because they name the API, the storage and the issuer. */
export class PagesStack extends Stack {
  constructor(scope: Construct, id: string, props: PagesStackProps) {
    const { settings, console, data, service, ...stack } = props;
    super(scope, id, stack);
    this.addStackDependency(service);
    const { inputs, results } = data.files;
    const signIn = describeSignIn(settings, data.identity, data.signInHost);
    new ConsoleFiles(this, 'Files', {
      bucket: console.bucket,
      config: { api: service.baseUrl, ...signIn.config },
      connectTo: [
        service.baseUrl,
        `https://${inputs.bucketRegionalDomainName}`,
        `https://${results.bucketRegionalDomainName}`,
        ...signIn.origins,
      ],
    });
  }
}
