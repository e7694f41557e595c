import { type App, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { describeSignIn } from '#console/serving/describe-sign-in.ts';
import { ConsoleFiles } from '../constructs/console/console-files.ts';
import { limitRoles } from '../constructs/permissions/limit-roles.ts';
import type { ConsoleSettings, DeployConfig } from '../settings/config.ts';
import { type DomainName, domainNames } from '../settings/domains.ts';
import { ComputeStack } from './compute-stack.ts';
import { ConsoleStack } from './console-stack.ts';
import { DataStack } from './data-stack.ts';
import { DomainStack } from './domain-stack.ts';
import { ServiceStack } from './service-stack.ts';

export interface Stacks {
  readonly data: DataStack;
  readonly domains: ReadonlyMap<DomainName, DomainStack>;
  readonly service: ServiceStack;
  /** Absent if no system needs a queue of AWS Batch. */
  readonly compute?: ComputeStack;
  readonly console?: ConsoleStack;
  readonly pages?: PagesStack;
}

/**
 * Adds the stacks. Data has its own stack, because it must outlive deployments. Functions come before
 * the service, whose gateway calls them. The console has one
 * before the data, which must know its address, and one after the service, which its pages must
 * know.
 */
export function addStacks(app: App, given: DeployConfig): Stacks {
  const { service: name, stage, console: settings, permissionsBoundary } = given;
  if (permissionsBoundary !== undefined) limitRoles(app, permissionsBoundary);
  const tags = { 'slipway:stage': stage };
  const console =
    settings &&
    new ConsoleStack(app, `${name}-console`, {
      settings,
      tags,
      description: `Slipway ${stage}: the address of the console`,
    });
  const config = console
    ? { ...given, corsOrigins: [...new Set([console.origin, ...given.corsOrigins])] }
    : given;
  const data = new DataStack(app, `${name}-data`, {
    config,
    consoleOrigin: console?.origin,
    tags,
    description: `Slipway ${stage}: the table, files, secrets and users`,
    terminationProtection: config.production,
  });
  const domains = new Map(
    domainNames.map((domain) => {
      const description = `Slipway ${stage}: the functions behind the endpoints about ${domain}`;
      const props = { config, data, domain, tags, description };
      return [domain, new DomainStack(app, `${name}-${domain}`, props)];
    }),
  );
  const service = new ServiceStack(app, `${name}-service`, {
    config,
    data,
    consoleOrigin: console?.origin,
    tags,
    description: `Slipway ${stage}: the API, functions in the background, dashboard and alarms`,
  });
  // Their names alone do not tell that the functions must be there first.
  for (const domain of domains.values()) service.addStackDependency(domain);
  const compute = makeCompute(app, config, tags);
  // So that the first job finds its queue.
  if (compute) service.addStackDependency(compute);
  const made = { data, domains, service, ...(compute && { compute }) };
  if (!console) return made;
  const pages = new PagesStack(app, `${name}-pages`, {
    settings,
    console,
    data,
    service,
    tags,
    description: `Slipway ${stage}: the pages of the console`,
  });
  return { ...made, console, pages };
}

function makeCompute(
  app: App,
  config: DeployConfig,
  tags: Record<string, string>,
): ComputeStack | undefined {
  if (config.awsBatch.every(({ creates }) => creates === undefined)) return undefined;
  const { service, stage } = config;
  const description = `Slipway ${stage}: the containers of jobs on AWS Batch`;
  return new ComputeStack(app, `${service}-compute`, { config, tags, description });
}

interface PagesStackProps extends StackProps {
  readonly settings: ConsoleSettings;
  readonly console: ConsoleStack;
  readonly data: DataStack;
  readonly service: ServiceStack;
}

/** The pages of the console. The last stack, because they name the API, the storage and the issuer. */
class PagesStack extends Stack {
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
