import { DomainName, EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/**
 * Serves the API at the root of a name of its own too. Gives the name that a DNS record of it must point to; where its zone is
 * given, the record is made here.
 */
export function serveAt(
  scope: Construct,
  api: RestApi,
  { name, certificateArn, hostedZoneId }: NonNullable<Settings['domain']>,
): string {
  const domain = new DomainName(scope, 'Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2, // the least that is taken: TLS 1.3 where the client has it
    mapping: api,
  });
  const { domainNameAliasDomainName: dnsName, domainNameAliasHostedZoneId: zone } = domain;
  if (hostedZoneId) {
    new CfnRecordSet(scope, 'DomainRecord', {
      name,
      hostedZoneId,
      type: 'A',
      aliasTarget: { dnsName, hostedZoneId: zone },
    });
  }
  return dnsName;
}
