import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * Names the host of an AWS service in the region of the deployment, which is also what KMS calls
 * that service. Its ending is the partition's: China and the European Sovereign Cloud have others.
 */
export function serviceHost(scope: Construct, service: string): string {
  const { region, urlSuffix } = Stack.of(scope);
  return `${service}.${region}.${urlSuffix}`;
}

/**
 * In production whatever holds something outlives its stack, and what replaces it. Only a creation
 * that fails takes it away again: it is empty then, and the next try would make a second one.
 */
export function keepData(production: boolean): RemovalPolicy {
  return production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
