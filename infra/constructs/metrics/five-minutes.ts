import { Duration } from 'aws-cdk-lib';

/** One period nearly everywhere, so that the alarms and the dashboard show the same numbers. */
export const fiveMinutes = Duration.minutes(5);
