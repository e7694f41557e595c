import { DomainName } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';

export interface CustomDomainProps {
  readonly name: string;
  /** A certificate of the same region. */
  readonly certificateArn: string;
}

/** The own name of the service. Its DNS record is the operator's (docs/deploy.md). */
export class CustomDomain extends DomainName {
  constructor(scope: Construct, id: string, { name, certificateArn }: CustomDomainProps) {
    super(scope, id, {
      domainName: name,
      certificate: Certificate.fromCertificateArn(scope, `${id}Certificate`, certificateArn),
    });
  }
}
