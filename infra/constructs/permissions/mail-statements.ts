import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/**
 * Allows sending mail, but only from the operator's address. The identity may be the address or its
 * domain, and SES checks the one that it finds.
 */
export function mailStatements(scope: Construct, address: string | undefined): PolicyStatement[] {
  if (address === undefined) return [];
  const identity = (resourceName: string) =>
    Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName });
  return [
    new PolicyStatement({
      actions: ['ses:SendEmail'],
      resources: [identity(address), identity(address.slice(address.indexOf('@') + 1))],
      conditions: { StringEquals: { 'ses:FromAddress': address } },
    }),
  ];
}
