import { Lazy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { routes } from '#functions/routes.ts';
import { declareRoute } from '../constructs/functions/declarations.ts';
import { addLiveAlias } from '../constructs/gateway/releases-stack.ts';
import { FailedRuns } from '../constructs/metrics/failed-runs.ts';
import type { DeployConfig } from '../settings/config.ts';
import { type DomainName, domainFunctionName, listEndpoints } from '../settings/domains.ts';
import type { DataStack } from './data-stack.ts';
import { ServiceFunctions } from './service-functions.ts';

export interface DomainStackProps extends StackProps {
  readonly config: DeployConfig;
  readonly data: DataStack;
  readonly domain: DomainName;
}

/**
 * The functions of one domain that answer callers, with their roles and logs. Deployed before the
 * service, whose gateway calls them by their names (docs/decisions/0115). Nobody imports anything
 * from here, so functions can be removed.
 */
export class DomainStack extends Stack {
  constructor(scope: Construct, id: string, { config, data, domain, ...stack }: DomainStackProps) {
    super(scope, id, stack);
    const { service, alarms, release } = config;
    const functions = new ServiceFunctions(this, {
      config,
      data,
      publicUrl: Lazy.string({ produce: refuseAddress }),
      consoleOrigin: undefined,
      nameFunction: (name) => domainFunctionName(service, domain, name),
    });
    for (const name of listEndpoints(domain)) {
      const target = functions.make(name, declareRoute(routes[name]));
      target.acknowledgeCaller();
      if (release === 'gradual') addLiveAlias(target, service);
    }
    if (alarms) new FailedRuns(this, 'FailedRuns', { service, functions: functions.byName });
    functions.checkEnvironments();
  }
}

/** The gateway comes after these functions, so they cannot know its address. */
function refuseAddress(): string {
  throw new Error('A function that needs the address of the API belongs into the service stack.');
}
