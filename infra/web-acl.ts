import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { gatewayFaults } from '../shared/errors.ts';
import { errorBody, errorHeaders } from './gateway-errors.ts';

/** AWS counts requests of one address over so many seconds. */
const window = 300;

/**
 * Rules of the common set that judge a body. They only count: a body may have 4 MB, and may well be an HTML document, a
 * prompt that names paths and addresses, or what a caller said. It is stored and never run.
 */
const bodyRules = ['SizeRestrictions', 'CrossSiteScripting', 'GenericLFI', 'GenericRFI', 'EC2MetaDataSSRF'];

/**
 * Has AWS WAF look at each request before the API does: AWS's own rules against common attacks and addresses of ill repute, and
 * a limit on each address, so that none takes more than half of what all together may send.
 */
export function guard(scope: Construct, stage: Stage, throttleRate: number): void {
  // Samples would show headers, and so tokens, to whoever may open the console.
  const visibility = (metricName: string) => ({
    metricName,
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: false,
  });
  const managed = (priority: number, name: string, counted: string[] = []): CfnWebACL.RuleProperty => ({
    name,
    priority,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
    visibilityConfig: visibility(name),
  });
  const { throttled } = gatewayFaults;
  const headers = Object.entries({ ...errorHeaders, 'retry-after': String(window) });

  const acl = new CfnWebACL(scope, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('WebAcl'),
    customResponseBodies: { throttled: { contentType: 'APPLICATION_JSON', content: errorBody(throttled) } },
    rules: [
      {
        name: 'RateOfAddress',
        priority: 0,
        action: {
          block: {
            // A response of the ACL's own takes precedence over the gateway's.
            customResponse: {
              responseCode: throttled.status,
              customResponseBodyKey: 'throttled',
              responseHeaders: headers.map(([name, value]) => ({ name, value })),
            },
          },
        },
        statement: {
          rateBasedStatement: {
            aggregateKeyType: 'IP',
            evaluationWindowSec: window,
            limit: Math.max(10, Math.round((throttleRate * window) / 2)), // AWS takes no less than 10
          },
        },
        visibilityConfig: visibility('RateOfAddress'),
      },
      managed(1, 'AWSManagedRulesAmazonIpReputationList'),
      managed(
        2,
        'AWSManagedRulesCommonRuleSet',
        bodyRules.map((rule) => `${rule}_BODY`),
      ),
    ],
  });
  new CfnWebACLAssociation(scope, 'WebAclAssociation', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
}
