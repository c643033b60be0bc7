import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { gatewayFaults } from '../../../shared/errors.ts';
import { errorHeaders, toErrorBody } from './gateway-errors.ts';

/**
 * Rules of the common rule set that inspect the body. They only count matches: a body of up to 4 MB may well be an HTML
 * document, a prompt that names paths and addresses, or a transcript. It is stored and never executed.
 */
const bodyRules = ['SizeRestrictions', 'CrossSiteScripting', 'GenericLFI', 'GenericRFI', 'EC2MetaDataSSRF'];

/** Matches every request. AWS requires such a statement to count all requests under one key. */
const everyRequest: CfnWebACL.StatementProperty = {
  sizeConstraintStatement: {
    fieldToMatch: { uriPath: {} },
    comparisonOperator: 'GE',
    size: 0,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
};

/**
 * Creates a web ACL that inspects each request before the API does. It has AWS's managed rules against common attacks
 * and addresses with a bad reputation, and two rate limits. One address may send half of `rate` requests a second, all
 * together `rate`; the stage itself throttles only each method. The total limit is a circuit breaker: above it, nobody
 * gets a response until traffic falls.
 */
export function createWebAcl(scope: Construct, stage: Stage, rate: number): void {
  // Sampled requests would show headers, and so tokens, to everybody with access to the AWS console.
  const buildVisibility = (metricName: string) => ({
    metricName,
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: false,
  });
  const buildManagedRule = (priority: number, name: string, counted: string[] = []): CfnWebACL.RuleProperty => ({
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
    visibilityConfig: buildVisibility(name),
  });
  const { throttled } = gatewayFaults;
  /** Builds the response of the gateway's throttling. A custom response of the ACL overrides the gateway's. */
  const buildBlockAction = (seconds: number): CfnWebACL.RuleActionProperty => {
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
  const buildRateRule = (
    priority: number,
    name: string,
    perSecond: number,
    counted: Omit<CfnWebACL.RateBasedStatementProperty, 'limit'> & { evaluationWindowSec: number },
  ): CfnWebACL.RuleProperty => ({
    name,
    priority,
    action: buildBlockAction(counted.evaluationWindowSec),
    statement: { rateBasedStatement: { ...counted, limit: perSecond * counted.evaluationWindowSec } },
    visibilityConfig: buildVisibility(name),
  });

  const acl = new CfnWebACL(scope, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: buildVisibility('WebAcl'),
    customResponseBodies: { throttled: { contentType: 'APPLICATION_JSON', content: toErrorBody(throttled) } },
    rules: [
      buildRateRule(0, 'RateOfAddress', rate / 2, { aggregateKeyType: 'IP', evaluationWindowSec: 300 }),
      buildManagedRule(1, 'AWSManagedRulesAmazonIpReputationList'),
      buildManagedRule(
        2,
        'AWSManagedRulesCommonRuleSet',
        bodyRules.map((rule) => `${rule}_BODY`),
      ),
      // Last, so that requests blocked by another rule do not count.
      buildRateRule(3, 'RateOfAll', rate, {
        aggregateKeyType: 'CONSTANT',
        evaluationWindowSec: 60,
        scopeDownStatement: everyRequest,
      }),
    ],
  });
  new CfnWebACLAssociation(scope, 'WebAclAssociation', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
}
