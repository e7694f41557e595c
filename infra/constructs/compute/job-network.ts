import { Fn, Validations } from 'aws-cdk-lib';
import {
  CfnInternetGateway,
  CfnRoute,
  CfnRouteTable,
  CfnSecurityGroup,
  CfnSubnet,
  CfnSubnetRouteTableAssociation,
  CfnVPC,
  CfnVPCGatewayAttachment,
} from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';

/** Every region has at least two zones. */
const zones = 2;

/**
 * A network for containers, which costs nothing while no job runs. Containers have public addresses
 * instead of a NAT gateway, and reach the service like any other client. Nobody can connect to them,
 * not even other containers.
 */
export class JobNetwork extends Construct {
  readonly subnetIds: readonly string[];
  readonly securityGroupId: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const vpc = new CfnVPC(this, 'Vpc', { cidrBlock: '10.0.0.0/16', enableDnsHostnames: true });
    Validations.of(vpc).acknowledge({
      id: 'AwsSolutions-VPC7',
      reason: 'Nothing can connect to a container; what jobs fetch is not the business of a log.',
    });
    const vpcId = vpc.ref;
    const gateway = new CfnInternetGateway(this, 'Gateway');
    const attachment = new CfnVPCGatewayAttachment(this, 'Attachment', {
      vpcId,
      internetGatewayId: gateway.ref,
    });
    const routes = new CfnRouteTable(this, 'Routes', { vpcId });
    const outbound = new CfnRoute(this, 'Outbound', {
      routeTableId: routes.ref,
      destinationCidrBlock: '0.0.0.0/0',
      gatewayId: gateway.ref,
    });
    outbound.addResourceDependency(attachment);
    this.subnetIds = Array.from({ length: zones }, (_, zone) => {
      const subnet = new CfnSubnet(this, `Subnet${zone}`, {
        vpcId,
        cidrBlock: `10.0.${zone * 128}.0/17`,
        availabilityZone: Fn.select(zone, Fn.getAzs()),
      });
      const association = new CfnSubnetRouteTableAssociation(this, `Association${zone}`, {
        subnetId: subnet.ref,
        routeTableId: routes.ref,
      });
      // Nothing is created in a subnet before it has its way out.
      association.addResourceDependency(outbound);
      return subnet.ref;
    });
    this.securityGroupId = new CfnSecurityGroup(this, 'SecurityGroup', {
      groupDescription: 'Slipway: containers of jobs, which nobody can connect to',
      vpcId,
      securityGroupEgress: [
        { ipProtocol: '-1', cidrIp: '0.0.0.0/0', description: 'Whatever jobs fetch and send' },
      ],
    }).attrGroupId;
  }
}
