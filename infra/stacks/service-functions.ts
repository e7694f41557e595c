import { CfnDynamicReference, CfnDynamicReferenceService, type Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { StringParameter } from 'aws-cdk-lib/aws-ssm';
import {
  composeEnvironment,
  type EnvironmentGroups,
  refuseTooLarge,
} from '../constructs/functions/compose-environment.ts';
import {
  type Declaration,
  letCheckSteps,
  letCountCalls,
  letNameCallers,
  uniteWrites,
} from '../constructs/functions/declarations.ts';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import {
  acknowledgeAwsBatch,
  awsBatchStatements,
} from '../constructs/permissions/aws-batch-statements.ts';
import { bucketStatements } from '../constructs/permissions/bucket-statements.ts';
import { acknowledgeFiles, fileStatements } from '../constructs/permissions/file-statements.ts';
import { mailStatements } from '../constructs/permissions/mail-statements.ts';
import {
  deadLetterStatements,
  eventStatements,
  networkStatements,
} from '../constructs/permissions/other-statements.ts';
import { tableStatements } from '../constructs/permissions/table-statements.ts';
import type { DeadLetterQueue } from '../constructs/triggers/dead-letter-queue.ts';
import type { DeployConfig } from '../settings/config.ts';
import type { DataStack } from './data-stack.ts';
import type { OutboundNetwork } from './outbound-network.ts';

export interface ServiceFunctionsProps {
  readonly config: DeployConfig;
  readonly data: DataStack;
  /** Address of the gateway, which jobs receive at hand-over. */
  readonly publicUrl: string;
  /** Origin of the console, if there is one. Mails link to it. */
  readonly consoleOrigin: string | undefined;
  /** For functions that call HPC systems and webhook receivers, if the operator has a network. */
  readonly network?: OutboundNetwork | undefined;
  nameFunction(name: string): string;
}

/** Creates functions from their declarations, which alone decide environment, role and limits. */
export class ServiceFunctions {
  readonly byName = new Map<string, ServiceFunction>();
  readonly #stack: Stack;
  readonly #config: DeployConfig;
  readonly #data: DataStack;
  readonly #publicUrl: string;
  readonly #consoleUrl: string | undefined;
  readonly #network: OutboundNetwork | undefined;
  readonly #nameFunction: (name: string) => string;

  constructor(stack: Stack, props: ServiceFunctionsProps) {
    const { config, data, publicUrl, consoleOrigin, network, nameFunction } = props;
    this.#stack = stack;
    this.#config = config;
    this.#data = data;
    this.#publicUrl = publicUrl;
    this.#consoleUrl = consoleOrigin === undefined ? undefined : `${consoleOrigin}/console/`;
    this.#network = network;
    this.#nameFunction = nameFunction;
  }

  make(name: string, declared: Declaration, deadLetters?: DeadLetterQueue): ServiceFunction {
    const { catalog, identity, service, logDays, production, traces } = this.#config;
    const userIds = identity?.USER_IDS ?? 'numeric';
    const counted = letCountCalls(userIds === 'assigned' ? letNameCallers(declared) : declared);
    const checking = letCheckSteps(counted);
    const declaration = this.#config.uniteStatements ? uniteWrites(checking) : checking;
    const made = new ServiceFunction(this.#stack, name, {
      file: declaration.file,
      catalog,
      userIds,
      hasTable: declaration.tableUses.length > 0,
      sendsMail: this.#config.emailFrom !== undefined,
      environment: { ...composeEnvironment(declaration, this.#groupVariables()) },
      statements: [...this.#allow(declaration), ...deadLetterStatements(deadLetters)],
      policies: declaration.secrets ? [this.#data.hpcSecrets.reading] : [],
      service,
      functionName: this.#nameFunction(name),
      logDays,
      traces,
      production,
      quiet: declaration.quiet,
      timeoutSeconds: declaration.timeoutSeconds,
      diskMegabytes: declaration.diskMegabytes,
      reservedConcurrency: this.#config.reservedConcurrency.get(name),
      vpcConfig: declaration.callsOut ? this.#network?.vpcConfig : undefined,
    });
    acknowledgeFiles(made, this.#data, declaration.files);
    if (declaration.awsBatch) acknowledgeAwsBatch(made, this.#config.awsBatch);
    this.byName.set(name, made);
    return made;
  }

  /**
   * Checks the size of all environments. Call it after the gateway exists, because some contain its
   * address.
   */
  checkEnvironments(): void {
    const { longestAddresses } = this.#data.hpcSecrets;
    for (const [name, { environment }] of this.byName) {
      const resolved = this.#stack.resolve(environment);
      const looksUp = 'HPC_SECRETS' in environment;
      refuseTooLarge(name, { ...resolved, ...(looksUp && { HPC_SECRETS: longestAddresses }) });
    }
  }

  #allow(declaration: Declaration): PolicyStatement[] {
    const data = this.#data;
    return [
      ...tableStatements(data, declaration),
      ...fileStatements(data, declaration.files),
      ...bucketStatements(this.#stack, this.#config.catalog, declaration.files),
      ...(declaration.publishes ? eventStatements(data.events) : []),
      ...(declaration.sendsMail ? mailStatements(this.#stack, this.#config.emailFrom) : []),
      ...(declaration.callsOut && this.#network ? networkStatements(this.#network) : []),
      ...awsBatchStatements(this.#stack, this.#config.awsBatch, declaration.awsBatch ?? []),
    ];
  }

  #groupVariables(): EnvironmentGroups {
    const { table, files, events, identity, signingKeys, hpcSecrets, command } = this.#data;
    const { emailFrom } = this.#config;
    const passes = { PASS_SECRET: signingKeys.passes };
    return {
      table: { TABLE_NAME: table.tableName },
      files: {
        INPUTS_BUCKET: files.inputs.bucketName,
        RESULTS_BUCKET: files.results.bucketName,
      },
      events: { EVENT_BUS_NAME: events.eventBusName },
      identity,
      callers: this.#config.callers,
      paging: { CURSOR_SECRET: signingKeys.cursors },
      passes,
      handOver: { ...passes, PUBLIC_URL: this.#publicUrl },
      mail: { MAIL_FROM: emailFrom === undefined ? undefined : `Slipway <${emailFrom}>` },
      mailLinks:
        emailFrom === undefined
          ? {}
          : { ...passes, PUBLIC_URL: this.#publicUrl, CONSOLE_URL: this.#consoleUrl },
      budget: { MONTHLY_BUDGET_USD: this.#config.jobBudget?.toString() },
      signIn: {
        PUBLIC_URL: this.#publicUrl,
        ISSUER: identity.ISSUER,
        AUDIENCE: identity.AUDIENCE,
        ...command,
      },
      // ARNs of the credentials, not their values. Looked up instead of imported, so that systems
      // can be removed.
      secrets: { HPC_SECRETS: lookUp(hpcSecrets.addresses) },
      awsBatch: { BATCH_SYSTEMS: this.#nameQueues() },
    };
  }

  /** Names what the deployment created. The catalog in the bundle names all other queues. */
  #nameQueues(): string | undefined {
    const created = this.#config.awsBatch.filter(({ creates }) => creates !== undefined);
    if (created.length === 0) return undefined;
    const places = created.map(({ name, queue, definition }) => [name, { queue, definition }]);
    return JSON.stringify(Object.fromEntries(places));
  }
}

/** Refers to the value of a parameter, which CloudFormation reads at deployment. */
function lookUp({ parameterName }: StringParameter): string {
  return new CfnDynamicReference(CfnDynamicReferenceService.SSM, parameterName).toString();
}
