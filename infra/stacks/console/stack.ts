import { Aws, Duration, NestedStack, RemovalPolicy } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
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
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Settings } from '../../settings.ts';
import { createAliasRecords } from '../api/domain.ts';
import { headers, httpsOnlySeconds } from './headers.ts';
import { handler } from './viewer-request.ts';

/** Creates CloudFront's policy for the security headers. CloudFront has dedicated fields for some of them. */
function createHeadersPolicy(scope: Construct, responseHeadersPolicyName: string): ResponseHeadersPolicy {
  const { 'content-security-policy': contentSecurityPolicy, ...others } = headers;
  const dedicatedHeaders = [
    'strict-transport-security',
    'x-content-type-options',
    'x-frame-options',
    'referrer-policy',
  ];
  const override = true;
  return new ResponseHeadersPolicy(scope, 'Headers', {
    responseHeadersPolicyName,
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy, override },
      strictTransportSecurity: {
        accessControlMaxAge: Duration.seconds(httpsOnlySeconds),
        includeSubdomains: true,
        override,
      },
      contentTypeOptions: { override },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override },
    },
    customHeadersBehavior: {
      customHeaders: Object.entries(others)
        .filter(([header]) => !dedicatedHeaders.includes(header))
        .map(([header, value]) => ({ header, value, override })),
    },
  });
}

/**
 * Nested stack that serves the console: a bucket that only CloudFront reads. It precedes the API, which needs its
 * origin. ConsoleFilesStack fills the bucket after that.
 */
export class ConsoleStack extends NestedStack {
  readonly bucket: Bucket;
  readonly distribution: Distribution;
  /** Origin, as browsers send it. */
  readonly origin: string;
  /** Target of the DNS record for a custom domain. */
  readonly domainTarget: string | undefined;

  constructor(scope: Construct, id: string, { name, domain }: { name: string; domain?: Settings['domain'] }) {
    super(scope, id);

    this.bucket = new Bucket(this, 'Files', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      // Its content can be rebuilt.
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    });
    // CloudFront names are global, so the region keeps the same environment in two regions apart.
    const globalName = `${name}-${Aws.REGION}`;
    const pages = new EdgeFunction(this, 'Pages', {
      code: FunctionCode.fromInline(String(handler)),
      runtime: FunctionRuntime.JS_2_0,
      comment: 'All pages of the console are one file',
    });
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `Console of ${name}`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.bucket, {
          originAccessControl: new S3OriginAccessControl(this, 'Access', { originAccessControlName: globalName }),
          // With permission to list the bucket, S3 answers 404 instead of 403 for a missing file.
          originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy: createHeadersPolicy(this, globalName),
        functionAssociations: [{ function: pages, eventType: FunctionEventType.VIEWER_REQUEST }],
      },
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
    });
    const { distributionDomainName: address } = this.distribution;
    // Hosted zone of all distributions (AWS General Reference, CloudFront).
    if (domain) createAliasRecords(this, domain, { dnsName: address, zone: 'Z2FDTNDATAQYW2' }, ['A', 'AAAA']);
    this.domainTarget = domain && address;
    this.origin = `https://${domain?.name ?? address}`;
  }
}
