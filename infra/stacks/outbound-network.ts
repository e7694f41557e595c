import { Stack } from 'aws-cdk-lib';
import { CfnSecurityGroup, CfnVPCEndpoint } from 'aws-cdk-lib/aws-ec2';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Network } from '../settings/network.ts';

/**
 * Connects functions that call HPC systems and webhook receivers to the operator's network. So they
 * have its fixed outbound addresses and can reach private hosts.
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

  /**
   * Allows no inbound traffic, because Lambda is not called over the network. Outbound is open,
   * because the catalog decides which hosts are called.
   */
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
   * Adds a gateway endpoint. It is free and avoids the NAT gateway's price per gigabyte. It has no
   * policy, because other hosts in the subnets use it too.
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
