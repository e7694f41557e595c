import * as v from 'valibot';

/**
 * The environment of the functions: parsed here at run time, and typed from here into infra, so
 * that a variable forgotten there does not compile. Nothing else reads process.env.
 */
const text = v.pipe(v.string(), v.minLength(1));

export const TableEnvironment = v.object({ TABLE_NAME: text });

export const IdentityEnvironment = v.object({
  ISSUER: text,
  AUDIENCE: text,
  /** Where the issuer's keys are, if not at <issuer>/.well-known/jwks.json. */
  JWKS_URI: v.optional(text),
  /** The issuer's keys themselves, where there is nothing to fetch them from. */
  JWKS: v.optional(text),
  USER_CLAIM: v.optional(text, 'sub'),
  /** Names of claims, separated by commas; one that holds ADMIN_VALUE makes an administrator. */
  ADMIN_CLAIMS: v.optional(text, 'groups,cognito:groups'),
  ADMIN_VALUE: v.optional(text, 'slipway-admin'),
});

export const PagingEnvironment = v.object({ CURSOR_SECRET: text });

/** The secrets with the credentials of HPC systems: a JSON object, system to secret. */
export const SecretsEnvironment = v.object({
  HPC_SECRETS: v.optional(
    v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.pipe(v.string(), v.minLength(1)))),
    '{}',
  ),
});

/** How long one hour of a job takes on a simulated system. */
export const SimulatorEnvironment = v.object({
  SIM_HOUR_SECONDS: v.optional(
    v.pipe(v.string(), v.regex(/^[0-9]{1,5}(\.[0-9]{1,3})?$/), v.transform(Number), v.gtValue(0)),
    '60',
  ),
});

export type IdentitySettings = v.InferOutput<typeof IdentityEnvironment>;

/** What infra writes: the form of each schema before its defaults. */
export type TableInput = v.InferInput<typeof TableEnvironment>;
export type IdentityInput = v.InferInput<typeof IdentityEnvironment>;
export type PagingInput = v.InferInput<typeof PagingEnvironment>;
export type SecretsInput = v.InferInput<typeof SecretsEnvironment>;

export function readEnvironment<S extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  schema: S,
): v.InferOutput<S> {
  const result = v.safeParse(schema, process.env);
  if (result.success) return result.output;
  const missing = result.issues.map((issue) => v.getDotPath(issue)).join(', ');
  throw new Error(`The environment lacks or garbles: ${missing}`);
}
