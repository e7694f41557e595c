import * as v from 'valibot';
import { catalog } from '#lib/catalog/catalog.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { parseSystemFaults } from '#lib/hpc/open/system-faults.ts';

/**
 * The environment of the functions: parsed here at run time, and typed from here into infra, so
 * that a variable forgotten there does not compile. Nothing else reads process.env.
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
  /** Where the issuer's keys are, if not at <issuer>/.well-known/jwks.json. */
  JWKS_URI: v.optional(text),
  /** The issuer's keys themselves, where there is nothing to fetch them from. */
  JWKS: v.optional(text),
  USER_CLAIM: v.optional(text, 'sub'),
  /** Whether that claim holds numbers alone, or anything, and the service gives the numbers. */
  USER_IDS: v.optional(v.picklist(['numeric', 'assigned']), 'numeric'),
  /** Names of claims, separated by commas; one that holds ADMIN_VALUE makes an administrator. */
  ADMIN_CLAIMS: v.optional(text, 'groups,cognito:groups'),
  ADMIN_VALUE: v.optional(text, 'slipway-admin'),
});

/** How often one caller may call an endpoint. */
export const CallerEnvironment = v.object({
  /** Calls a second, when those at once are used up; undefined where callers are not limited. */
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
  /** Where the containers of a function tell each other; without a table they cannot. */
  TABLE_NAME: v.optional(text),
});

export const PagingEnvironment = v.object({ CURSOR_SECRET: text });

/** Signs what lets jobs at their files. */
export const PassEnvironment = v.object({ PASS_SECRET: text });

/** What a job is told of the service when it is handed over. */
export const HandOverEnvironment = v.object({
  ...PassEnvironment.entries,
  /** Where the service is reached from the HPC systems. */
  PUBLIC_URL: v.pipe(
    text,
    v.transform((address) => address.replace(/\/+$/, '')),
  ),
});

/** The secrets with the credentials of HPC systems: a JSON object, system to secret. */
export const SecretsEnvironment = v.object({
  HPC_SECRETS: v.optional(
    v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.pipe(v.string(), v.minLength(1)))),
    '{}',
  ),
});

/** Where the files of jobs are, and with which credentials addresses are signed. */
export const FilesEnvironment = v.object({
  INPUTS_BUCKET: text,
  RESULTS_BUCKET: text,
  AWS_REGION: text,
  AWS_ACCESS_KEY_ID: text,
  AWS_SECRET_ACCESS_KEY: text,
  AWS_SESSION_TOKEN: v.optional(text),
  /** Another storage than S3. */
  AWS_ENDPOINT_URL_S3: v.optional(text),
});

/** The bus that events go to. */
export const EventsEnvironment = v.object({ EVENT_BUS_NAME: text });

/** Whether pushes may go to this machine itself, and over plain http: on a laptop and in tests. */
export const WebhooksEnvironment = v.object({
  WEBHOOKS_TO_LOOPBACK: v.optional(
    v.pipe(
      v.picklist(['true', 'false']),
      v.transform((text) => text === 'true'),
    ),
    'false',
  ),
  /** Lambda sets it, and nobody can unset it. */
  AWS_LAMBDA_FUNCTION_NAME: v.optional(v.string()),
});

/** By the names that Powertools for AWS Lambda gave them, whose lines ours are. */
export const TelemetryEnvironment = v.object({
  /** The name in metrics and logs. */
  POWERTOOLS_SERVICE_NAME: v.optional(v.string(), 'service_undefined'),
  POWERTOOLS_LOG_LEVEL: v.optional(
    v.fallback(v.picklist(['INFO', 'WARN', 'ERROR', 'SILENT']), 'INFO'),
    'INFO',
  ),
  POWERTOOLS_METRICS_DISABLED: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text === 'true'),
    ),
    'false',
  ),
});

/** The operator's catalog, for what runs from source; a bundle has the one that it was built with. */
export const CatalogEnvironment = v.object({ CATALOG: v.optional(text) });

function listSimulated(): string[] {
  return catalog.systems.filter((system) => traitsOf(system).simulated).map(({ name }) => name);
}

export const SimulatorEnvironment = v.object({
  /** What is wrong with simulated systems: `hpc_one:down,hpc_two:slow`. */
  SIM_FAULTS: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => parseSystemFaults(text, listSimulated())),
    ),
    '',
  ),
  /** How long one hour of a job takes on a simulated system. */
  SIM_HOUR_SECONDS: v.optional(
    v.pipe(v.string(), v.regex(/^[0-9]{1,5}(\.[0-9]{1,3})?$/), v.transform(Number), v.gtValue(0)),
    '60',
  ),
});

/** What a function needs to know to reach HPC systems. */
export const ConnectorEnvironment = v.object({
  ...SecretsEnvironment.entries,
  ...SimulatorEnvironment.entries,
});

export type UserIds = v.InferOutput<typeof IdentityEnvironment>['USER_IDS'];
export type IdentitySettings = v.InferOutput<typeof IdentityEnvironment>;
export type FilesSettings = v.InferOutput<typeof FilesEnvironment>;

/** What infra writes: the form of each schema before its defaults. */
export type TableInput = v.InferInput<typeof TableEnvironment>;
export type IdentityInput = v.InferInput<typeof IdentityEnvironment>;
export type CallerInput = Omit<v.InferInput<typeof CallerEnvironment>, 'TABLE_NAME'>;
export type PagingInput = v.InferInput<typeof PagingEnvironment>;
export type PassInput = v.InferInput<typeof PassEnvironment>;
export type HandOverInput = v.InferInput<typeof HandOverEnvironment>;
/** Lambda itself gives the region and the credentials. */
export type FilesInput = Pick<
  v.InferInput<typeof FilesEnvironment>,
  'INPUTS_BUCKET' | 'RESULTS_BUCKET'
>;
export type EventsInput = v.InferInput<typeof EventsEnvironment>;
export type SecretsInput = v.InferInput<typeof SecretsEnvironment>;

export function readEnvironment<S extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  schema: S,
): v.InferOutput<S> {
  const result = v.safeParse(schema, process.env);
  if (result.success) return result.output;
  const missing = result.issues.map((issue) => v.getDotPath(issue)).join(', ');
  throw new Error(`Missing or invalid environment variables: ${missing}`);
}

/** The trace of the request that is under way: Lambda writes it anew for each. */
export function readTraceId(): string | undefined {
  return /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1];
}

/** Never on Lambda, whatever is set there: what listens on its loopback is the runtime itself. */
export function readPushRules(): { readonly toLoopback: boolean } {
  const settings = readEnvironment(WebhooksEnvironment);
  const onLambda = settings.AWS_LAMBDA_FUNCTION_NAME !== undefined;
  return { toLoopback: settings.WEBHOOKS_TO_LOOPBACK && !onLambda };
}
