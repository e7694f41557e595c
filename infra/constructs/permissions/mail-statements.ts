import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledgeStar } from './acknowledge-star.ts';

/**
 * Allows sending mail, but only from the operator's address. The identity may be the address or its
 * domain, and SES checks the one that it finds.
 */
export function mailStatements(scope: Construct, address: string | undefined): PolicyStatement[] {
  if (address === undefined) return [];
  const ses = (resource: string, resourceName: string) =>
    Stack.of(scope).formatArn({ service: 'ses', resource, resourceName });
  // An identity may have a default configuration set, which SES then checks as well.
  const configurations = ses('configuration-set', '*');
  acknowledgeStar(
    scope,
    configurations,
    'Whoever verified the address chose the set, and its name.',
  );
  return [
    new PolicyStatement({
      actions: ['ses:SendEmail'],
      resources: [
        ses('identity', address),
        ses('identity', address.slice(address.indexOf('@') + 1)),
        configurations,
      ],
      conditions: { StringEquals: { 'ses:FromAddress': address } },
    }),
  ];
}
