import * as v from 'valibot';
import { catalog } from '#lib/catalog/catalog.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { parseSystemFaults } from '#lib/hpc/open/system-faults.ts';

/**
 * The environment of the functions. It is parsed here at run time, and infra uses the types, so that
 * a forgotten variable does not compile. Nothing else reads process.env.
 */
const text = v.pipe(v.string(), v.minLength(1));

function wholeNumber(most: number) {
  return v.pipe(
    v.string(),
    v.regex(/^[0-9]{1,6}$/),
    v.transform(Number),
    v.minValue(1),
    v.maxValue(most),
  );
}

export const TableEnvironment = v.object({ TABLE_NAME: text });

export const IdentityEnvironment = v.object({
  ISSUER: text,
  AUDIENCE: text,
  /** The address of the issuer's keys, if not <issuer>/.well-known/jwks.json. */
  JWKS_URI: v.optional(text),
  /** The issuer's keys themselves, if they cannot be fetched. */
  JWKS: v.optional(text),
  USER_CLAIM: v.optional(text, 'sub'),
  /** `numeric`: the claim holds a number. `assigned`: it holds any text, and the service assigns a number. */
  USER_IDS: v.optional(v.picklist(['numeric', 'assigned']), 'numeric'),
  /** Names of claims, separated by commas. A caller with ADMIN_VALUE in one of them is an administrator. */
  ADMIN_CLAIMS: v.optional(text, 'groups,cognito:groups'),
  ADMIN_VALUE: v.optional(text, 'slipway-admin'),
});

/** Limits how often one caller may call an endpoint. */
export const CallerEnvironment = v.object({
  /** Calls a second after the burst is used up; undefined if callers are not limited. */
  CALLER_RATE: v.optional(
    v.union([
      v.pipe(
        v.literal('off'),
        v.transform(() => undefined),
      ),
      wholeNumber(10_000),
    ]),
    '10',
  ),
  CALLER_BURST: v.optional(wholeNumber(100_000), '500'),
  /** The containers of a function share their counts in the table. Without it, each counts alone. */
  TABLE_NAME: v.optional(text),
});

export const PagingEnvironment = v.object({ CURSOR_SECRET: text });

/** Signs the passes with which jobs reach their files. */
export const PassEnvironment = v.object({ PASS_SECRET: text });

const address = v.pipe(
  text,
  v.transform((written) => written.replace(/\/+$/, '')),
);

/** Tells a job, at its hand-over, how to reach the service. */
export const HandOverEnvironment = v.object({
  ...PassEnvironment.entries,
  /** The address of the service for HPC systems. */
  PUBLIC_URL: address,
});

/** How the command signs in at the issuer. */
const CommandEnvironment = v.object({
  /** The public client by which the issuer knows the command. */
  COMMAND_CLIENT_ID: v.optional(text),
  COMMAND_SCOPE: v.optional(text, 'openid offline_access'),
  /** The token to send. Only Cognito's ID token has the client as its audience. */
  COMMAND_TOKEN: v.optional(v.picklist(['access_token', 'id_token']), 'access_token'),
  /** The name by which redirects reach the machine of a user, if an address will not do. */
  COMMAND_REDIRECT_HOST: v.optional(v.literal('localhost')),
});

/** Tells clients where users sign in. */
export const SignInEnvironment = v.object({
  ...CommandEnvironment.entries,
  /** The address of the service for its users. */
  PUBLIC_URL: address,
  ISSUER: text,
  AUDIENCE: text,
  /** The laptop edition signs users in itself, unless it has an issuer of its own. */
  LOCAL_SIGN_IN: v.optional(
    v.pipe(
      v.picklist(['true', 'false']),
      v.transform((written) => written === 'true'),
    ),
    'false',
  ),
});

/** Maps systems to the secrets with their credentials, as a JSON object. */
export const SecretsEnvironment = v.object({
  HPC_SECRETS: v.optional(
    v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.pipe(v.string(), v.minLength(1)))),
    '{}',
  ),
});

/** Maps systems on AWS Batch to the queues and job definitions that the deployment created. */
const BatchSystemsEnvironment = v.object({
  BATCH_SYSTEMS: v.optional(
    v.pipe(
      v.string(),
      v.parseJson(),
      v.record(v.string(), v.object({ queue: text, definition: text })),
    ),
    '{}',
  ),
});

/** The buckets with the files of jobs, and the credentials that sign addresses. */
export const FilesEnvironment = v.object({
  INPUTS_BUCKET: text,
  RESULTS_BUCKET: text,
  AWS_REGION: text,
  AWS_ACCESS_KEY_ID: text,
  AWS_SECRET_ACCESS_KEY: text,
  AWS_SESSION_TOKEN: v.optional(text),
  /** Replaces S3 by another storage. */
  AWS_ENDPOINT_URL_S3: v.optional(text),
  /** Replaces all of AWS. The SDK reads it too. */
  AWS_ENDPOINT_URL: v.optional(text),
});

/** Credentials for the buckets of a catalog. A deployment on AWS signs with the role of each function. */
const BucketsEnvironment = v.object({
  BUCKETS_ACCESS_KEY_ID: v.optional(text),
  BUCKETS_SECRET_ACCESS_KEY: v.optional(text),
  BUCKETS_SESSION_TOKEN: v.optional(text),
  AWS_ACCESS_KEY_ID: v.optional(text),
  AWS_SECRET_ACCESS_KEY: v.optional(text),
  AWS_SESSION_TOKEN: v.optional(text),
  /** Set by Lambda. */
  AWS_LAMBDA_FUNCTION_NAME: v.optional(v.string()),
});

/** Limits what jobs on systems with a price may cost in a month. */
export const BudgetEnvironment = v.object({
  /** US dollars; undefined if there is no limit. */
  MONTHLY_BUDGET_USD: v.optional(
    v.pipe(v.string(), v.regex(/^[0-9]{1,7}(\.[0-9]{1,2})?$/), v.transform(Number), v.gtValue(0)),
  ),
});

export const EventsEnvironment = v.object({ EVENT_BUS_NAME: text });

/** Allows pushes to this machine, also over plain http: for laptops and tests. */
const WebhooksEnvironment = v.object({
  WEBHOOKS_TO_LOOPBACK: v.optional(
    v.pipe(
      v.picklist(['true', 'false']),
      v.transform((text) => text === 'true'),
    ),
    'false',
  ),
  /** Set by Lambda; it cannot be unset. */
  AWS_LAMBDA_FUNCTION_NAME: v.optional(v.string()),
});

/** How the service sends mail. On AWS, SES sends it. */
const MailEnvironment = v.object({
  /** The sender, such as `Slipway <slipway@example.org>`. */
  MAIL_FROM: v.optional(text),
  /** The mail server of a service on one machine, such as `smtps://user:password@host`. */
  SMTP_URL: v.optional(v.pipe(text, v.regex(/^smtps?:\/\//))),
  /** The address of the console, such as `https://console.example.org/console/`. */
  CONSOLE_URL: v.optional(text),
  /** Set by Lambda. */
  AWS_LAMBDA_FUNCTION_NAME: v.optional(v.string()),
});

export const TelemetryEnvironment = v.object({
  /** The name of the service in metrics and logs. */
  SERVICE_NAME: v.optional(v.string(), 'service_undefined'),
  LOG_LEVEL: v.optional(
    v.fallback(v.picklist(['INFO', 'WARN', 'ERROR', 'SILENT']), 'INFO'),
    'INFO',
  ),
  METRICS_DISABLED: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text === 'true'),
    ),
    'false',
  ),
});

/** The operator's catalog. Bundles ignore it: they contain the one they were built with. */
export const CatalogEnvironment = v.object({ CATALOG: v.optional(text) });

function listSimulated(): string[] {
  return catalog.systems.filter((system) => traitsOf(system).simulated).map(({ name }) => name);
}

export const SimulatorEnvironment = v.object({
  /** Faults of simulated systems: `hpc_one:down,hpc_two:slow`. */
  SIM_FAULTS: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => parseSystemFaults(text, listSimulated())),
    ),
    '',
  ),
  /** How many seconds one hour of a job takes on a simulated system. */
  SIM_HOUR_SECONDS: v.optional(
    v.pipe(v.string(), v.regex(/^[0-9]{1,5}(\.[0-9]{1,3})?$/), v.transform(Number), v.gtValue(0)),
    '60',
  ),
});

/** Lets a function reach HPC systems. */
export const ConnectorEnvironment = v.object({
  ...SecretsEnvironment.entries,
  ...BatchSystemsEnvironment.entries,
  ...SimulatorEnvironment.entries,
});

export type UserIds = v.InferOutput<typeof IdentityEnvironment>['USER_IDS'];
export type IdentitySettings = v.InferOutput<typeof IdentityEnvironment>;
export type HandOverSettings = v.InferOutput<typeof HandOverEnvironment>;
export type SignInSettings = v.InferOutput<typeof SignInEnvironment>;

/** The inputs of the schemas, before defaults: infra writes these. */
export type TableInput = v.InferInput<typeof TableEnvironment>;
export type IdentityInput = v.InferInput<typeof IdentityEnvironment>;
export type CallerInput = Omit<v.InferInput<typeof CallerEnvironment>, 'TABLE_NAME'>;
export type PagingInput = v.InferInput<typeof PagingEnvironment>;
export type PassInput = v.InferInput<typeof PassEnvironment>;
export type HandOverInput = v.InferInput<typeof HandOverEnvironment>;
export type CommandInput = v.InferInput<typeof CommandEnvironment>;
export type SignInInput = Omit<v.InferInput<typeof SignInEnvironment>, 'LOCAL_SIGN_IN'>;
/** Lambda provides the region and the credentials. */
export type FilesInput = Pick<
  v.InferInput<typeof FilesEnvironment>,
  'INPUTS_BUCKET' | 'RESULTS_BUCKET'
>;
export type MailInput = Pick<v.InferInput<typeof MailEnvironment>, 'MAIL_FROM'>;
export type MailLinksInput = HandOverInput &
  Pick<v.InferInput<typeof MailEnvironment>, 'CONSOLE_URL'>;
export type BudgetInput = v.InferInput<typeof BudgetEnvironment>;
export type EventsInput = v.InferInput<typeof EventsEnvironment>;
export type SecretsInput = v.InferInput<typeof SecretsEnvironment>;
export type BatchSystemsInput = v.InferInput<typeof BatchSystemsEnvironment>;

export function readEnvironment<S extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  schema: S,
): v.InferOutput<S> {
  const result = v.safeParse(schema, process.env);
  if (result.success) return result.output;
  const missing = result.issues.map((issue) => v.getDotPath(issue)).join(', ');
  throw new Error(`Missing or invalid environment variables: ${missing}`);
}

/** Reads variables that no program may inherit that this process starts, and removes them. */
export function takeEnvironment<S extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  schema: S,
): v.InferOutput<S> {
  const taken = readEnvironment(schema);
  for (const name of Object.keys(schema.entries)) delete process.env[name];
  return taken;
}

/** Returns the month's budget in US dollars, if there is one. */
export function readBudget(): number | undefined {
  return readEnvironment(BudgetEnvironment).MONTHLY_BUDGET_USD;
}

/** Returns undefined if this service has no credentials for the buckets of its catalog. */
export function readBucketCredentials() {
  const env = readEnvironment(BucketsEnvironment);
  const onLambda = env.AWS_LAMBDA_FUNCTION_NAME !== undefined;
  const [id, secret, token] = onLambda
    ? [env.AWS_ACCESS_KEY_ID, env.AWS_SECRET_ACCESS_KEY, env.AWS_SESSION_TOKEN]
    : [env.BUCKETS_ACCESS_KEY_ID, env.BUCKETS_SECRET_ACCESS_KEY, env.BUCKETS_SESSION_TOKEN];
  if (id === undefined || secret === undefined) return undefined;
  return { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token };
}

export interface MailSettings {
  readonly from: string;
  /** Undefined on AWS. */
  readonly smtpUrl: string | undefined;
  /** Ends in a slash. */
  readonly consoleUrl: string | undefined;
}

/** Returns undefined if the service sends no mail. */
export function readMailSettings(): MailSettings | undefined {
  const settings = readEnvironment(MailEnvironment);
  const onLambda = settings.AWS_LAMBDA_FUNCTION_NAME !== undefined;
  const { SMTP_URL: smtpUrl, CONSOLE_URL: consoleUrl } = settings;
  const from = settings.MAIL_FROM ?? (onLambda ? undefined : 'Slipway <slipway@localhost>');
  if (from === undefined || (!onLambda && smtpUrl === undefined)) return undefined;
  return { from, smtpUrl: onLambda ? undefined : smtpUrl, consoleUrl };
}

/** Returns the trace of the current request. Lambda sets it for each one. */
export function readTraceId(): string | undefined {
  return /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1];
}

/** Never allows loopback on Lambda, where the runtime's own API listens there. */
export function readPushRules(): { readonly toLoopback: boolean } {
  const settings = readEnvironment(WebhooksEnvironment);
  const onLambda = settings.AWS_LAMBDA_FUNCTION_NAME !== undefined;
  return { toLoopback: settings.WEBHOOKS_TO_LOOPBACK && !onLambda };
}
