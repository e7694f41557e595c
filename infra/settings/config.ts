import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { hasPrice } from '#lib/charging/price-job.ts';
import type { CallerInput, CommandInput, IdentityInput } from '#lib/config.ts';
import { isOrigin } from '#lib/http/cross-origin.ts';
import { type AwsBatchSystem, listAwsBatchSystems } from './aws-batch.ts';
import { chooseCatalog, productionStage } from './choose-catalog.ts';
import { invalidContext } from './context-error.ts';
import {
  certificateIn,
  hostName,
  httpsAddress,
  listOf,
  matching,
  text,
  trueOrFalse,
  wholeNumber,
} from './forms.ts';
import { type ReservedConcurrency, ReservedConcurrencySetting } from './limits.ts';
import { type Network, networkCompanions, networkEntries, toNetwork } from './network.ts';

/** Settings for all constructs. Only infra/app.ts reads the context. */
export interface DeployConfig {
  readonly stage: string;
  /** The name in metrics, logs and traces. */
  readonly service: string;
  /** Whether this is the production stage, whose data must be kept. */
  readonly production: boolean;
  /** The HPC systems, which are built into the functions. */
  readonly catalog: Catalog;
  /** The systems of the catalog that AWS Batch runs. */
  readonly awsBatch: readonly AwsBatchSystem[];
  /** The trusted issuer. Without it, the deployment creates a user directory. */
  readonly identity: IdentityInput | undefined;
  /** How the command signs in at that issuer. */
  readonly command: CommandInput;
  /** Origins of other pages than the console. */
  readonly corsOrigins: readonly string[];
  readonly domain: OwnDomain | undefined;
  /** The console is deployed only if configured. */
  readonly console: ConsoleSettings | undefined;
  /** Stream of a restored table, which replaces the table of the stack. */
  readonly tableStreamArn: string | undefined;
  /** Whether there are alarms at all. Who hears of them may be added later. */
  readonly alarms: boolean;
  readonly alarmEmail: string | undefined;
  /** Who hears of what can wait for the next working day. */
  readonly ticketEmail: string | undefined;
  readonly dashboard: boolean;
  /** Whether X-Ray traces the functions. */
  readonly traces: boolean;
  /** Whether data is encrypted with a key of the deployment, instead of those of AWS. */
  readonly ownKey: boolean;
  /** The sender of mails to users. Without it, the service sends none. */
  readonly emailFrom: string | undefined;
  /** Present if there is a monthly budget and an address is known. */
  readonly budget: Budget | undefined;
  /** US dollars a month for jobs on systems with a price, if the catalog has any. */
  readonly jobBudget: number | undefined;
  /** How new versions of the functions go live. */
  readonly release: Release;
  /** Requests per second and burst that each route accepts before it answers 429. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** Rate limit per caller, if the operator sets one. */
  readonly callers: CallerInput;
  readonly reservedConcurrency: ReservedConcurrency;
  /** Network of the functions that call out. Without it, they run outside of any VPC. */
  readonly network: Network | undefined;
  /** Whether one statement of a role covers all writes of its function (docs/decisions/0047). */
  readonly uniteStatements: boolean;
  /** The name of a policy that limits all roles (docs/decisions/0117). */
  readonly permissionsBoundary: string | undefined;
  readonly logDays: RetentionDays;
}

/** A monthly sum in US dollars, and who hears when it is reached. */
export interface Budget {
  readonly dollars: number;
  readonly email: string;
}

/** 'gradual' shifts some traffic first and rolls back on errors. */
type Release = 'gradual' | 'at-once';

export interface OwnDomain {
  readonly name: string;
  readonly certificateArn: string;
}

export interface ConsoleSettings {
  readonly domain: OwnDomain | undefined;
  /** Client id at the issuer. Not needed with the deployment's own user directory. */
  readonly clientId: string | undefined;
  readonly scope: string;
}

const retentionDays = v.pipe(
  wholeNumber(1, 3653),
  v.enum(RetentionDays, 'must be a retention period of CloudWatch Logs: 1, 7, 30, 90, 365, ...'),
);

/** Settings of an operator, from `-c name=value` (always text) or cdk.json. */
const ContextSchema = v.partial(
  v.object({
    stage: matching(/^[a-z][a-z0-9]{0,15}$/, 'must be lower-case letters and digits'),
    catalog: text,
    batch: trueOrFalse(),
    allowSimulator: trueOrFalse(),
    issuer: httpsAddress(),
    audience: text,
    jwksUri: httpsAddress(),
    userClaim: text,
    userIds: v.picklist(['numeric', 'assigned'], 'must be numeric or assigned'),
    adminClaims: text,
    adminValue: text,
    corsOrigins: listOf(
      v.pipe(v.string(), v.check(isOrigin, 'must be origins such as https://console.example.org')),
    ),
    domainName: hostName('jobs.example.org'),
    certificateArn: certificateIn('[a-z0-9-]+', 'must be the ARN in ACM'),
    console: trueOrFalse(),
    consoleDomainName: hostName('console.example.org'),
    consoleCertificateArn: certificateIn(
      'us-east-1',
      'must be the ARN in ACM of us-east-1, where CloudFront looks',
    ),
    consoleClientId: text,
    consoleScope: text,
    commandClientId: text,
    commandScope: text,
    tableStreamArn: matching(
      /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}\/stream\/[\w:.-]+$/,
      'must be the ARN of the stream of a table',
    ),
    alarms: trueOrFalse(),
    alarmEmail: v.pipe(text, v.email('must be an e-mail address')),
    ticketEmail: v.pipe(text, v.email('must be an e-mail address')),
    dashboard: trueOrFalse(),
    traces: trueOrFalse(),
    ownKey: trueOrFalse(),
    emailFrom: v.pipe(text, v.email('must be an e-mail address')),
    monthlyBudgetUsd: wholeNumber(0, 1_000_000),
    budgetEmail: v.pipe(text, v.email('must be an e-mail address')),
    release: v.picklist(['gradual', 'at-once'], 'must be gradual or at-once'),
    throttleRate: wholeNumber(1, 10_000),
    throttleBurst: wholeNumber(1, 5_000),
    callerRate: wholeNumber(1, 10_000),
    callerBurst: wholeNumber(1, 100_000),
    reservedConcurrency: ReservedConcurrencySetting,
    ...networkEntries,
    uniteStatements: trueOrFalse(),
    permissionsBoundary: matching(/^[\w+=,.@-]{1,128}$/, 'must be the name of a policy'),
    logDays: retentionDays,
  }),
);

type Context = v.InferOutput<typeof ContextSchema>;

export const settingNames = Object.keys(ContextSchema.entries);

/** Settings that require another one. */
const companions: readonly (readonly [keyof Context, keyof Context])[] = [
  ['issuer', 'audience'],
  ['audience', 'issuer'],
  ['jwksUri', 'issuer'],
  ['userClaim', 'issuer'],
  ['userIds', 'issuer'],
  ['adminClaims', 'issuer'],
  ['adminValue', 'issuer'],
  ['domainName', 'certificateArn'],
  ['certificateArn', 'domainName'],
  ['consoleDomainName', 'consoleCertificateArn'],
  ['consoleCertificateArn', 'consoleDomainName'],
  ['consoleDomainName', 'console'],
  ['consoleClientId', 'issuer'],
  ['consoleScope', 'consoleClientId'],
  ['commandClientId', 'issuer'],
  ['commandScope', 'commandClientId'],
  ...networkCompanions,
];

export function readConfig(node: Node): DeployConfig {
  const given = selectOwn(node.getAllContext());
  const result = v.safeParse(ContextSchema, given, { abortPipeEarly: true });
  const problems = [
    ...findUnknown(given),
    ...(result.issues ?? []).map((issue) => `${issue.path?.[0].key}: ${issue.message}`),
    ...findLonely(given),
    ...findStranger(given),
  ];
  if (!result.success || problems.length > 0) {
    throw invalidContext([...new Set(problems)].join('; '));
  }
  return toConfig(result.output, chooseCatalog(result.output));
}

function toConfig(context: Context, catalog: Catalog): DeployConfig {
  const { stage = 'dev', issuer, audience } = context;
  const production = stage === productionStage;
  const service = `slipway-${stage}`;
  return {
    stage,
    service,
    production,
    catalog,
    awsBatch: listAwsBatchSystems(service, catalog),
    identity:
      issuer !== undefined && audience !== undefined
        ? {
            ISSUER: issuer,
            AUDIENCE: audience,
            JWKS_URI: context.jwksUri,
            USER_CLAIM: context.userClaim,
            // Leave out the default, to keep environments small.
            USER_IDS: context.userIds === 'assigned' ? 'assigned' : undefined,
            ADMIN_CLAIMS: context.adminClaims,
            ADMIN_VALUE: context.adminValue,
          }
        : undefined,
    command: {
      COMMAND_CLIENT_ID: context.commandClientId,
      COMMAND_SCOPE: context.commandScope,
    },
    corsOrigins: context.corsOrigins ?? [],
    domain: toDomain(context.domainName, context.certificateArn),
    console: toConsole(context),
    tableStreamArn: context.tableStreamArn,
    alarms: isTrue(context.alarms, production || context.alarmEmail !== undefined),
    alarmEmail: context.alarmEmail,
    ticketEmail: context.ticketEmail ?? context.alarmEmail,
    dashboard: isTrue(context.dashboard, false),
    traces: isTrue(context.traces, false),
    ownKey: isTrue(context.ownKey, production),
    emailFrom: context.emailFrom,
    budget: toBudget(context, production),
    jobBudget: catalog.systems.some(hasPrice) ? budgetOf(context, production) : undefined,
    release: context.release ?? (production ? 'gradual' : 'at-once'),
    throttle: { rate: context.throttleRate ?? 100, burst: context.throttleBurst ?? 200 },
    callers: {
      CALLER_RATE: context.callerRate?.toString(),
      CALLER_BURST: context.callerBurst?.toString(),
    },
    reservedConcurrency: context.reservedConcurrency ?? new Map(),
    network: toNetwork(context),
    uniteStatements: String(context.uniteStatements) === 'true',
    permissionsBoundary: context.permissionsBoundary,
    logDays: context.logDays ?? (production ? RetentionDays.THREE_MONTHS : RetentionDays.ONE_MONTH),
  };
}

function isTrue(value: unknown, otherwise: boolean): boolean {
  return value === undefined ? otherwise : String(value) === 'true';
}

/** Above the cost of 100,000 jobs a month (docs/costs.md). */
const usualBudget = 100;

/** Returns the month's budget. Zero leaves it out, and only production has one by itself. */
function budgetOf({ monthlyBudgetUsd }: Context, production: boolean): number | undefined {
  const dollars = monthlyBudgetUsd ?? (production ? usualBudget : 0);
  return dollars > 0 ? dollars : undefined;
}

function toBudget(context: Context, production: boolean): Budget | undefined {
  const dollars = budgetOf(context, production);
  const email = context.budgetEmail ?? context.alarmEmail;
  return dollars !== undefined && email !== undefined ? { dollars, email } : undefined;
}

function toConsole(context: Context): ConsoleSettings | undefined {
  if (String(context.console) !== 'true') return undefined;
  return {
    domain: toDomain(context.consoleDomainName, context.consoleCertificateArn),
    clientId: context.consoleClientId,
    scope: context.consoleScope ?? 'openid',
  };
}

function toDomain(
  name: string | undefined,
  certificateArn: string | undefined,
): OwnDomain | undefined {
  return name !== undefined && certificateArn !== undefined ? { name, certificateArn } : undefined;
}

/**
 * Selects our settings. Names of the CDK contain punctuation (`@aws-cdk/...`, `aws:cdk:...`,
 * `cli-telemetry`), ours never do.
 */
function selectOwn(context: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(context).filter(([name]) => /^[a-z0-9]+$/i.test(name)));
}

/**
 * Reports unknown settings. A typo such as `-c isuer=` must not deploy a service without its
 * issuer.
 */
function findUnknown(given: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(given)
    .filter((name) => !settingNames.includes(name))
    .map((name) => `${name}: is not a setting; the settings are ${settingNames.join(', ')}`);
}

function findLonely(given: Readonly<Record<string, unknown>>): string[] {
  return companions
    .filter(([name, other]) => given[name] !== undefined && given[other] === undefined)
    .map(([name, other]) => `${name}: needs ${other} as well`);
}

/** Reports a missing client id, because an external issuer must know the console. */
function findStranger(given: Readonly<Record<string, unknown>>): string[] {
  const isStranger =
    String(given.console) === 'true' &&
    given.issuer !== undefined &&
    given.consoleClientId === undefined;
  return isStranger
    ? ['console: needs consoleClientId as well, the public client that your issuer knows it by']
    : [];
}
