import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { pageHeaders } from '#console/serving/console-headers.ts';
import type { OwnDomain } from '#infra/settings/config.ts';

export interface ConsoleDistributionProps {
  readonly bucket: IBucket;
  readonly apiHost: string;
  readonly domain: OwnDomain | undefined;
  /** Content security policy of the pages. */
  readonly policy: string;
}

/** Serves the single page of the console for every path without a file extension. */
const showPage = `function handler(event) {
  var request = event.request;
  var last = request.uri.split('/').pop();
  if (last.indexOf('.') < 0) request.uri = '/console/index.html';
  return request;
}`;

/** Serves `/console/` from the bucket and everything else from the API. */
export class ConsoleDistribution extends Construct {
  readonly domainName: string;

  constructor(scope: Construct, id: string, props: ConsoleDistributionProps) {
    super(scope, id);
    const { bucket, apiHost, domain, policy } = props;
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Slipway: the console, and the API under its name',
      httpVersion: HttpVersion.HTTP2_AND_3,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      defaultBehavior: passToApi(apiHost),
      additionalBehaviors: {
        '/console/*': {
          origin: S3BucketOrigin.withOriginAccessControl(bucket, {
            originAccessControl: new S3OriginAccessControl(this, 'BucketAccess', {
              originAccessControlName: uniqueName(this),
            }),
          }),
          viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
          // Follows the caching headers of the files. Files without a hash in their name are
          // revalidated.
          cachePolicy: CachePolicy.CACHING_OPTIMIZED,
          responseHeadersPolicy: this.#makeHeaders(policy),
          compress: true,
          functionAssociations: [
            {
              eventType: FunctionEventType.VIEWER_REQUEST,
              function: new EdgeFunction(this, 'ShowPage', {
                code: FunctionCode.fromInline(showPage),
                runtime: FunctionRuntime.JS_2_0,
              }),
            },
          ],
        },
      },
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      }),
    });
    acknowledge(distribution, domain !== undefined);
    this.domainName = distribution.distributionDomainName;
  }

  #makeHeaders(contentSecurityPolicy: string): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName: uniqueName(this),
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: {
          accessControlMaxAge: Duration.days(730),
          includeSubdomains: true,
          override: true,
        },
      },
      customHeadersBehavior: {
        customHeaders: Object.entries(pageHeaders)
          .filter(([header]) => /^(cross-origin|permissions)-/.test(header))
          .map(([header, value]) => ({ header, value, override: true })),
      },
    });
  }
}

/** Includes the region, because CloudFront names are global to an account. */
function uniqueName(scope: Construct): string {
  const { stackName, region } = Stack.of(scope);
  return `${stackName}-${region}`;
}

/**
 * Passes requests to the API unchanged. Nothing is cached, and all headers are forwarded except
 * Host, including the token.
 */
function passToApi(host: string): BehaviorOptions {
  return {
    origin: new HttpOrigin(host, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    }),
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
  };
}

function acknowledge(distribution: Distribution, hasDomain: boolean): void {
  Validations.of(distribution).acknowledge(
    { id: 'AwsSolutions-CFR1', reason: 'Researchers travel: no country is locked out.' },
    {
      id: 'AwsSolutions-CFR2',
      reason: 'The API behind it throttles every route; a firewall is the operator’s to add.',
    },
    {
      id: 'AwsSolutions-CFR3',
      reason: 'Every call is in the access log of the API; the rest are files for everybody.',
    },
  );
  if (hasDomain) return;
  Validations.of(distribution).acknowledge({
    id: 'AwsSolutions-CFR4',
    reason: 'CloudFront’s own certificate sets its own lowest version; a domain brings TLS 1.2.',
  });
}
