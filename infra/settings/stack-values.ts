import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * Returns the host of an AWS service in the current region, which is also its name in KMS
 * conditions. The suffix depends on the partition, such as China or the European Sovereign Cloud.
 */
export function serviceHost(scope: Construct, service: string): string {
  const { region, urlSuffix } = Stack.of(scope);
  return `${service}.${region}.${urlSuffix}`;
}

/**
 * Retains data in production when a resource is deleted or replaced. Deletes it only if its
 * creation fails, because it is empty then and a retry would create a second one.
 */
export function keepData(production: boolean): RemovalPolicy {
  return production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
