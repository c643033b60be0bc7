import { DomainName, EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/** Makes the records of a name where its zone is given: they lead to what AWS serves it by. */
export function aliasRecords(
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
 * Serves the API at the root of a name of its own too. Gives the name that a DNS record of it must point to; where its zone is
 * given, the record is made here.
 */
export function serveAt(scope: Construct, api: RestApi, settings: NonNullable<Settings['domain']>): string {
  const { name, certificateArn } = settings;
  const domain = new DomainName(scope, 'Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2, // the least that is taken: TLS 1.3 where the client has it
    mapping: api,
  });
  const { domainNameAliasDomainName: dnsName, domainNameAliasHostedZoneId: zone } = domain;
  aliasRecords(scope, settings, { dnsName, zone }, ['A']);
  return dnsName;
}
