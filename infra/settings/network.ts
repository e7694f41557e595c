import * as v from 'valibot';
import { listOf, matching } from './forms.ts';

/** The operator's network, for functions that call HPC systems and webhook receivers. */
export interface Network {
  readonly vpcId: string;
  readonly subnetIds: readonly string[];
  /** Created if none is named. */
  readonly securityGroupIds: readonly string[];
  /** Route tables that get endpoints for DynamoDB and S3. Empty if they already have some. */
  readonly routeTableIds: readonly string[];
}

/** Ids, not lookups, so that synthesis needs no account. */
export const networkEntries = {
  vpcId: idOf('vpc', 'must be an id such as vpc-0a1b2c3d'),
  subnetIds: listOf(idOf('subnet', 'must be ids such as subnet-0a1b2c3d')),
  securityGroupIds: listOf(idOf('sg', 'must be ids such as sg-0a1b2c3d')),
  routeTableIds: listOf(idOf('rtb', 'must be ids such as rtb-0a1b2c3d')),
};

function idOf(kind: string, message: string) {
  return matching(new RegExp(`^${kind}-[0-9a-f]{8,17}$`), message);
}

/** Settings that need another setting. */
export const networkCompanions = [
  ['vpcId', 'subnetIds'],
  ['subnetIds', 'vpcId'],
  ['securityGroupIds', 'vpcId'],
  ['routeTableIds', 'vpcId'],
] as const;

const NetworkSettings = v.partial(v.object(networkEntries));

export function toNetwork(settings: v.InferOutput<typeof NetworkSettings>): Network | undefined {
  const { vpcId, subnetIds, securityGroupIds = [], routeTableIds = [] } = settings;
  return vpcId === undefined || subnetIds === undefined
    ? undefined
    : { vpcId, subnetIds, securityGroupIds, routeTableIds };
}
