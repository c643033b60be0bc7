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
import { aliasRecords } from '../domain.ts';
import type { Settings } from '../settings.ts';
import { headers, httpsOnlySeconds } from './headers.ts';
import { handler } from './viewer-request.ts';

/** The security headers as CloudFront wants them: those that it knows by name each in its own field. */
function responseHeaders(scope: Construct, responseHeadersPolicyName: string): ResponseHeadersPolicy {
  const { 'content-security-policy': contentSecurityPolicy, ...others } = headers;
  const known = ['strict-transport-security', 'x-content-type-options', 'x-frame-options', 'referrer-policy'];
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
        .filter(([header]) => !known.includes(header))
        .map(([header, value]) => ({ header, value, override })),
    },
  });
}

/**
 * Where the console is served: a bucket that only CloudFront reads. It comes before the API, which must know its origin; what
 * is in it comes after (ConsoleFilesStack).
 */
export class ConsoleStack extends NestedStack {
  readonly bucket: Bucket;
  readonly distribution: Distribution;
  /** As browsers send it. */
  readonly origin: string;
  /** Where the DNS record of a domain of its own must point to. */
  readonly domainTarget: string | undefined;

  constructor(scope: Construct, id: string, { name, domain }: { name: string; domain?: Settings['domain'] }) {
    super(scope, id);

    this.bucket = new Bucket(this, 'Files', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      // What is in it can be built again.
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    });
    // CloudFront is in no region: what it has must be named unlike that of the same environment in another region.
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
          // Only to who may list a bucket S3 says that there is no such file, and not that it is forbidden.
          originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy: responseHeaders(this, globalName),
        functionAssociations: [{ function: pages, eventType: FunctionEventType.VIEWER_REQUEST }],
      },
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
    });
    const { distributionDomainName: address } = this.distribution;
    // The zone that all distributions are in (AWS General Reference, CloudFront).
    if (domain) aliasRecords(this, domain, { dnsName: address, zone: 'Z2FDTNDATAQYW2' }, ['A', 'AAAA']);
    this.domainTarget = domain && address;
    this.origin = `https://${domain?.name ?? address}`;
  }
}
