import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { pageHeaders, writePolicy } from '#console/serving/console-headers.ts';
import type { OwnDomain } from '#infra/settings/config.ts';

export interface ConsoleDistributionProps {
  readonly bucket: IBucket;
  readonly domain: OwnDomain | undefined;
}

/**
 * Serves the single page of the console for every path without a file extension, and leads
 * everything outside of `/console/` there.
 */
const showPage = `function handler(event) {
  var request = event.request;
  if (request.uri.indexOf('/console/') !== 0) {
    return { statusCode: 302, statusDescription: 'Found', headers: { location: { value: '/console/' } } };
  }
  var last = request.uri.split('/').pop();
  if (last.indexOf('.') < 0) request.uri = '/console/index.html';
  return request;
}`;

/** Serves the pages in the bucket. They call the API at its own address. */
export class ConsoleDistribution extends Construct {
  readonly domainName: string;

  constructor(scope: Construct, id: string, { bucket, domain }: ConsoleDistributionProps) {
    super(scope, id);
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Slipway: the console',
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(bucket, {
          originAccessControl: new S3OriginAccessControl(this, 'BucketAccess', {
            originAccessControlName: uniqueName(this),
          }),
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        // Follows the caching headers of the files. Files without a hash in their name are
        // revalidated.
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy: this.#makeHeaders(),
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
      ...(domain && {
        domainNames: [domain.name],
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      }),
    });
    acknowledge(distribution, domain !== undefined);
    this.domainName = distribution.distributionDomainName;
  }

  /**
   * Allows connections to any host over TLS, because the API and the storage do not exist yet when
   * this policy is created. The page itself limits them to those that it needs.
   */
  #makeHeaders(): ResponseHeadersPolicy {
    const contentSecurityPolicy = writePolicy(['https:']);
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

function acknowledge(distribution: Distribution, hasDomain: boolean): void {
  Validations.of(distribution).acknowledge(
    { id: 'AwsSolutions-CFR1', reason: 'Researchers travel: no country is locked out.' },
    {
      id: 'AwsSolutions-CFR2',
      reason: 'It serves files that everybody may load; a firewall is the operator’s to add.',
    },
    {
      id: 'AwsSolutions-CFR3',
      reason: 'It serves files that everybody may load; calls are in the access log of the API.',
    },
  );
  if (hasDomain) return;
  Validations.of(distribution).acknowledge({
    id: 'AwsSolutions-CFR4',
    reason: 'CloudFront’s own certificate sets its own lowest version; a domain brings TLS 1.2.',
  });
}
