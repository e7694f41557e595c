import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import type { CallerInput, IdentityInput } from '#lib/config.ts';
import { httpsAddress, listOf, matching, text, wholeNumber } from './forms.ts';
import { type Network, networkCompanions, networkEntries, toNetwork } from './network.ts';
import { type ReservedConcurrency, ReservedConcurrencySetting } from './reserved-concurrency.ts';

/** What constructs are built from. Nothing below infra/app.ts looks into the context. */
export interface DeployConfig {
  readonly stage: string;
  /** The name in metrics, logs and traces. */
  readonly service: string;
  /** Whether losing the data would hurt. */
  readonly production: boolean;
  /** The systems that it serves, which are built into its functions. */
  readonly catalog: Catalog;
  /** The issuer to trust; without one the deployment makes a user directory of its own. */
  readonly identity: IdentityInput | undefined;
  readonly corsOrigins: readonly string[];
  readonly domain: { readonly name: string; readonly certificateArn: string } | undefined;
  readonly alarmEmail: string | undefined;
  /** Requests per second, and at once, that each route takes before it answers 429. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** How often one caller may call, where the operator says so. */
  readonly callers: CallerInput;
  readonly reservedConcurrency: ReservedConcurrency;
  /** Where the functions are that call others than AWS; in no network of the operator's, without. */
  readonly network: Network | undefined;
  readonly logDays: RetentionDays;
  /** For `sam local` alone: where functions in a container find a table on this machine. */
  readonly dynamoDbEndpoint: string | undefined;
}

/** The one kind of error that is the operator's to mend, and is shown without a stack. */
export class ContextError extends Error {
  override name = 'ContextError';
}

const retentionDays = v.pipe(
  wholeNumber(1, 3653),
  v.enum(RetentionDays, 'must be a retention period of CloudWatch Logs: 1, 7, 30, 90, 365, ...'),
);

/** What an operator decides, with `-c name=value` (always text) or in cdk.json. */
const ContextSchema = v.object({
  stage: v.optional(matching(/^[a-z][a-z0-9]{0,15}$/, 'must be lower-case letters and digits')),
  catalog: v.optional(text),
  allowSimulator: v.optional(
    v.union([v.picklist(['true', 'false']), v.boolean()], 'must be true or false'),
  ),
  issuer: v.optional(httpsAddress()),
  audience: v.optional(text),
  jwksUri: v.optional(httpsAddress()),
  userClaim: v.optional(text),
  userIds: v.optional(v.picklist(['numeric', 'assigned'], 'must be numeric or assigned')),
  adminClaims: v.optional(text),
  adminValue: v.optional(text),
  corsOrigins: v.optional(
    listOf(
      v.pipe(v.string(), v.check(isOrigin, 'must be origins such as https://console.example.org')),
    ),
  ),
  domainName: v.optional(
    matching(/^([a-z0-9-]+\.)+[a-z]{2,}$/, 'must be a host name such as jobs.example.org'),
  ),
  certificateArn: v.optional(
    matching(/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/\S+$/, 'must be the ARN in ACM'),
  ),
  alarmEmail: v.optional(v.pipe(text, v.email('must be an e-mail address'))),
  throttleRate: v.optional(wholeNumber(1, 10_000)),
  throttleBurst: v.optional(wholeNumber(1, 5_000)),
  callerRate: v.optional(wholeNumber(1, 10_000)),
  callerBurst: v.optional(wholeNumber(1, 100_000)),
  reservedConcurrency: v.optional(ReservedConcurrencySetting),
  ...networkEntries,
  logDays: v.optional(retentionDays),
  jwks: v.optional(text),
  dynamoDbEndpoint: v.optional(v.pipe(text, v.url('must be an address'))),
});

type Context = v.InferOutput<typeof ContextSchema>;

const productionStage = 'prod';

/** The stage that `sam local` runs, and nobody deploys (docs/sam-local.md). */
export const samStage = 'sam';

export const settingNames = Object.keys(ContextSchema.entries);

/** Settings that mean nothing without another one. */
const companions: readonly (readonly [keyof Context, keyof Context])[] = [
  ['issuer', 'audience'],
  ['audience', 'issuer'],
  ['jwksUri', 'issuer'],
  ['userClaim', 'issuer'],
  ['userIds', 'issuer'],
  ['adminClaims', 'issuer'],
  ['adminValue', 'issuer'],
  ['jwks', 'issuer'],
  ['domainName', 'certificateArn'],
  ['certificateArn', 'domainName'],
  ...networkCompanions,
];

/** Reads the context once. */
export function readConfig(node: Node): DeployConfig {
  const given = selectOwn(node.getAllContext());
  const result = v.safeParse(ContextSchema, given, { abortPipeEarly: true });
  const problems = [
    ...findUnknown(given),
    ...(result.issues ?? []).map((issue) => `${issue.path?.[0].key}: ${issue.message}`),
    ...findLonely(given),
    ...findMisplaced(given),
  ];
  if (!result.success || problems.length > 0) {
    throw new ContextError(`The context (-c) is not valid. ${[...new Set(problems)].join('; ')}.`);
  }
  const catalog = readCatalog(result.output.catalog);
  refuseSimulators(result.output, catalog);
  return toConfig(result.output, catalog);
}

/** What is simulated is run nowhere, and yet charged for: nobody should find that out in production. */
function refuseSimulators({ stage, allowSimulator }: Context, { systems }: Catalog): void {
  const simulated = systems.filter(({ connector }) => connector.kind === 'simulator');
  if (stage !== productionStage || simulated.length === 0 || String(allowSimulator) === 'true')
    return;
  const names = simulated.map(({ name }) => name).join(', ');
  throw new ContextError(
    `The context (-c) is not valid. catalog: ${names} would be simulated in ${stage}, and run no job; ` +
      'name a catalog of your own systems (-c catalog=./centre.json, docs/catalog.md), or add -c allowSimulator=true.',
  );
}

function toConfig(context: Context, catalog: Catalog): DeployConfig {
  const { stage = 'dev', issuer, audience, domainName, certificateArn } = context;
  const production = stage === productionStage;
  return {
    stage,
    service: `slipway-${stage}`,
    production,
    catalog,
    identity:
      issuer !== undefined && audience !== undefined
        ? {
            ISSUER: issuer,
            AUDIENCE: audience,
            JWKS_URI: context.jwksUri,
            JWKS: context.jwks,
            USER_CLAIM: context.userClaim,
            // What is the default anyway stays out of the environments.
            USER_IDS: context.userIds === 'assigned' ? 'assigned' : undefined,
            ADMIN_CLAIMS: context.adminClaims,
            ADMIN_VALUE: context.adminValue,
          }
        : undefined,
    corsOrigins: context.corsOrigins ?? [],
    domain:
      domainName !== undefined && certificateArn !== undefined
        ? { name: domainName, certificateArn }
        : undefined,
    alarmEmail: context.alarmEmail,
    throttle: { rate: context.throttleRate ?? 100, burst: context.throttleBurst ?? 200 },
    callers: {
      CALLER_RATE: context.callerRate?.toString(),
      CALLER_BURST: context.callerBurst?.toString(),
    },
    reservedConcurrency: context.reservedConcurrency ?? new Map(),
    network: toNetwork(context),
    dynamoDbEndpoint: context.dynamoDbEndpoint,
    logDays: context.logDays ?? (production ? RetentionDays.THREE_MONTHS : RetentionDays.ONE_MONTH),
  };
}

/** The CDK's own names all hold a sign (`@aws-cdk/...`, `aws:cdk:...`, `cli-telemetry`); ours never do. */
function selectOwn(context: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(context).filter(([name]) => /^[a-z0-9]+$/i.test(name)));
}

/** A typo such as `-c isuer=` must not deploy a service without its issuer. */
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

/** Keys and a table of a laptop must not get into a deployment: they belong to the stage `sam`. */
function findMisplaced(given: Readonly<Record<string, unknown>>): string[] {
  if (given.stage === samStage) return [];
  return ['jwks', 'dynamoDbEndpoint']
    .filter((name) => given[name] !== undefined)
    .map((name) => `${name}: is only for the stage ${samStage}`);
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value;
}
