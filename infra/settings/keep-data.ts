import { RemovalPolicy } from 'aws-cdk-lib';

/**
 * In production whatever holds something outlives its stack, and what replaces it. Only a creation
 * that fails takes it away again: it is empty then, and the next try would make a second one.
 */
export function keepData(production: boolean): RemovalPolicy {
  return production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
