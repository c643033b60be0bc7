import { DomainName, EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Settings } from '../../settings.ts';

/**
 * Creates DNS records of the given types, each an alias for the name that AWS assigned. Does nothing without a hosted
 * zone.
 */
export function createAliasRecords(
  scope: Construct,
  { name, hostedZoneId }: NonNullable<Settings['domain']>,
  { dnsName, zone }: { dnsName: string; zone: string },
  types: ('A' | 'AAAA')[],
): void {
  if (!hostedZoneId) return;
  for (const type of types) {
    const aliasTarget = { dnsName, hostedZoneId: zone };
    new CfnRecordSet(scope, type === 'A' ? 'DomainRecord' : 'DomainRecord6', { name, hostedZoneId, type, aliasTarget });
  }
}

/**
 * Adds a custom domain that serves the API at its root. Returns the target for its DNS record, and creates the record
 * if the hosted zone is given.
 */
export function addDomain(scope: Construct, api: RestApi, settings: NonNullable<Settings['domain']>): string {
  const { name, certificateArn } = settings;
  const domain = new DomainName(scope, 'Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2, // the minimum; clients that support TLS 1.3 use it
    mapping: api,
  });
  const { domainNameAliasDomainName: dnsName, domainNameAliasHostedZoneId: zone } = domain;
  createAliasRecords(scope, settings, { dnsName, zone }, ['A']);
  return dnsName;
}
