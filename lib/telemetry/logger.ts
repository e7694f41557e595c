import { Logger } from '@aws-lambda-powertools/logger';

/**
 * The service's name comes from POWERTOOLS_SERVICE_NAME. Whoever logs passes names, numbers and
 * causes; never headers or bodies, so that no token, command or secret gets here.
 */
export const logger = new Logger();
