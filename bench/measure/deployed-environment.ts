import { routes } from '#functions/routes.ts';
import {
  commonVariables,
  composeEnvironment,
  type EnvironmentGroups,
} from '#infra/constructs/functions/compose-environment.ts';
import { declareFallback, declareRoute } from '#infra/constructs/functions/declarations.ts';

const groups: EnvironmentGroups = {
  table: { TABLE_NAME: 'slipway-bench' },
  files: { INPUTS_BUCKET: 'inputs-bench', RESULTS_BUCKET: 'results-bench' },
  events: { EVENT_BUS_NAME: 'slipway-bench' },
  identity: { ISSUER: 'https://issuer.example.org', AUDIENCE: 'slipway' },
  callers: {},
  paging: { CURSOR_SECRET: 'a secret of the bench' },
  passes: { PASS_SECRET: 'a secret of the bench' },
  handOver: { PASS_SECRET: 'a secret of the bench', PUBLIC_URL: 'https://slipway.example.org' },
  secrets: { HPC_SECRETS: '{}' },
  awsBatch: {},
  budget: {},
  mail: {},
  mailLinks: {},
  signIn: {
    PUBLIC_URL: 'https://slipway.example.org',
    ISSUER: 'https://issuer.example.org',
    AUDIENCE: 'slipway',
  },
};

/** Variables that Lambda adds to every environment. */
const ofLambda = {
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  AWS_LAMBDA_FUNCTION_NAME: 'slipway-bench',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_LOG_FORMAT: 'JSON',
  AWS_LAMBDA_LOG_GROUP_NAME: 'slipway-bench',
  AWS_LAMBDA_LOG_LEVEL: 'INFO',
  AWS_LAMBDA_LOG_STREAM_NAME: 'slipway-bench',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'example',
  AWS_SESSION_TOKEN: 'example',
  LAMBDA_TASK_ROOT: '/var/task',
  TZ: ':UTC',
};

/**
 * Returns exactly the variables that a function of the API has on Lambda, without those of this
 * machine.
 */
export function deployedEnvironment(name: string): Record<string, string> {
  const route = Object.entries(routes).find(([each]) => each === name)?.[1];
  const declaration = route ? declareRoute(route) : declareFallback();
  return {
    ...ofLambda,
    ...composeEnvironment(declaration, groups),
    ...commonVariables('slipway-bench'),
  };
}
