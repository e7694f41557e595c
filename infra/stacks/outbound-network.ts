import { Stack } from 'aws-cdk-lib';
import { CfnSecurityGroup, CfnVPCEndpoint } from 'aws-cdk-lib/aws-ec2';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Network } from '../settings/network.ts';

/**
 * The operator's network, as the functions use it that call HPC systems and receivers of webhooks:
 * what they call sees the addresses of its way out, and what is private in it can be reached.
 */
export class OutboundNetwork extends Construct {
  readonly vpcConfig: CfnFunction.VpcConfigProperty;

  constructor(scope: Construct, id: string, network: Network) {
    super(scope, id);
    const { vpcId, subnetIds, securityGroupIds, routeTableIds } = network;
    this.vpcConfig = {
      subnetIds: [...subnetIds],
      securityGroupIds:
        securityGroupIds.length > 0 ? [...securityGroupIds] : [this.#makeSecurityGroup(vpcId)],
    };
    if (routeTableIds.length === 0) return;
    for (const service of ['dynamodb', 's3']) this.#addWay(service, vpcId, routeTableIds);
  }

  /** Nobody calls a function by the network, so nothing comes in. Where it calls is the catalog's. */
  #makeSecurityGroup(vpcId: string): string {
    return new CfnSecurityGroup(this, 'SecurityGroup', {
      groupDescription: 'Slipway: functions that call HPC systems and receivers of webhooks',
      vpcId,
      securityGroupEgress: [
        { ipProtocol: '-1', cidrIp: '0.0.0.0/0', description: 'HPC systems, webhooks, AWS' },
      ],
    }).attrGroupId;
  }

  /**
   * Without a price, and past the NAT gateway, which has one for each gigabyte. It has no policy of
   * its own: whatever else is in the subnets goes this way too.
   */
  #addWay(service: string, vpcId: string, routeTableIds: readonly string[]): void {
    new CfnVPCEndpoint(this, service, {
      vpcId,
      vpcEndpointType: 'Gateway',
      serviceName: `com.amazonaws.${Stack.of(this).region}.${service}`,
      routeTableIds: [...routeTableIds],
    });
  }
}
