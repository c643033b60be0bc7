import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { gatewayFaults } from '../shared/errors.ts';
import { errorBody, errorHeaders } from './gateway-errors.ts';

/**
 * Rules of the common set that judge a body. They only count: a body may have 4 MB, and may well be an HTML document, a
 * prompt that names paths and addresses, or what a caller said. It is stored and never run.
 */
const bodyRules = ['SizeRestrictions', 'CrossSiteScripting', 'GenericLFI', 'GenericRFI', 'EC2MetaDataSSRF'];

/** Matches every request. AWS counts requests without telling them apart only within such a statement. */
const everyRequest: CfnWebACL.StatementProperty = {
  sizeConstraintStatement: {
    fieldToMatch: { uriPath: {} },
    comparisonOperator: 'GE',
    size: 0,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
};

/**
 * Has AWS WAF look at each request before the API does: AWS's own rules against common attacks and addresses of ill repute, and
 * two limits. No address may send more than half of `rate` requests a second. All together may send `rate`, which the stage
 * itself does not limit: its throttle is each method's own. This one is a fuse: beyond it nobody is answered until less comes.
 */
export function guard(scope: Construct, stage: Stage, rate: number): void {
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
  /** Answers as the gateway does where it throttles. A response of the ACL's own takes precedence over the gateway's. */
  const refuse = (seconds: number): CfnWebACL.RuleActionProperty => {
    const headers = Object.entries({ ...errorHeaders, 'retry-after': String(seconds) });
    return {
      block: {
        customResponse: {
          responseCode: throttled.status,
          customResponseBodyKey: 'throttled',
          responseHeaders: headers.map(([name, value]) => ({ name, value })),
        },
      },
    };
  };
  const limited = (
    priority: number,
    name: string,
    perSecond: number,
    counted: Omit<CfnWebACL.RateBasedStatementProperty, 'limit'> & { evaluationWindowSec: number },
  ): CfnWebACL.RuleProperty => ({
    name,
    priority,
    action: refuse(counted.evaluationWindowSec),
    statement: { rateBasedStatement: { ...counted, limit: perSecond * counted.evaluationWindowSec } },
    visibilityConfig: visibility(name),
  });

  const acl = new CfnWebACL(scope, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('WebAcl'),
    customResponseBodies: { throttled: { contentType: 'APPLICATION_JSON', content: errorBody(throttled) } },
    rules: [
      limited(0, 'RateOfAddress', rate / 2, { aggregateKeyType: 'IP', evaluationWindowSec: 300 }),
      managed(1, 'AWSManagedRulesAmazonIpReputationList'),
      managed(
        2,
        'AWSManagedRulesCommonRuleSet',
        bodyRules.map((rule) => `${rule}_BODY`),
      ),
      // The last rule: what another one blocks does not count.
      limited(3, 'RateOfAll', rate, {
        aggregateKeyType: 'CONSTANT',
        evaluationWindowSec: 60,
        scopeDownStatement: everyRequest,
      }),
    ],
  });
  new CfnWebACLAssociation(scope, 'WebAclAssociation', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
}
