import type { DeployedFunction } from '../deployed/deployed-function.ts';
import { sessionToken } from '../deployed/session-gate.ts';

/** What Lambda itself puts into every environment, beside what a function is deployed with. */
export function ownVariables({ name, handler, memory, directory }: DeployedFunction) {
  return {
    _HANDLER: handler,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memory),
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_LEVEL: 'INFO',
    AWS_LAMBDA_LOG_STREAM_NAME: `${name}/[$LATEST]`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: sessionToken,
    LAMBDA_TASK_ROOT: directory,
    TZ: ':UTC',
  };
}

/** Of a function's memory Lambda gives Node's heap all but a tenth, and half of that to each half of the young. */
export function nodeArguments({ memory }: DeployedFunction): string[] {
  const young = Math.floor(memory / 10);
  return [
    '--expose-gc',
    '--max-http-header-size=81920',
    `--max-semi-space-size=${Math.floor(young / 2)}`,
    `--max-old-space-size=${memory - young}`,
  ];
}
