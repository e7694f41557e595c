import { Logger } from '@aws-lambda-powertools/logger';

/** Names and causes only: whoever logs passes no headers, so no token and no command gets here. */
export const logger = new Logger({ serviceName: 'slipway' });
