import type { App } from 'aws-cdk-lib';
import type { DeployConfig } from '../settings/config.ts';
import { ConsoleStack } from './console-stack.ts';
import { DataStack } from './data-stack.ts';
import { ServiceStack } from './service-stack.ts';

/** Adds the stacks. Data has its own stack, because it must outlive deployments. */
export function addStacks(
  app: App,
  config: DeployConfig,
): { data: DataStack; service: ServiceStack; console?: ConsoleStack } {
  const tags = { 'slipway:stage': config.stage };
  const data = new DataStack(app, `${config.service}-data`, {
    config,
    tags,
    description: `Slipway ${config.stage}: the table, files, secrets and users`,
    terminationProtection: config.production,
  });
  const service = new ServiceStack(app, `${config.service}-service`, {
    config,
    data,
    tags,
    description: `Slipway ${config.stage}: the API, its functions, dashboard and alarms`,
  });
  if (!config.console) return { data, service };
  const console = new ConsoleStack(app, `${config.service}-console`, {
    data,
    service,
    settings: config.console,
    tags,
    description: `Slipway ${config.stage}: the console, and what hands it out`,
  });
  return { data, service, console };
}
