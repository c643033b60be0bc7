import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { gatewayFaults } from '../../../shared/errors.ts';
import type { Settings } from '../../settings.ts';
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

/** A rule without its priority, which is its position. */
type Rule = Omit<CfnWebACL.RuleProperty, 'priority'>;

/** Window over which requests of one address or token are counted, in seconds. */
const windowSeconds = 300;

/** Makes spellings of `Authorization` that the API accepts for the same token count as one: `bearer`, and more spaces. */
const sameToken: CfnWebACL.TextTransformationProperty[] = ['COMPRESS_WHITE_SPACE', 'LOWERCASE'].map(
  (type, priority) => ({
    type,
    priority,
  }),
);

/**
 * Creates a web ACL that inspects each request before the API does. It has AWS's managed rules against common attacks
 * and addresses with a bad reputation, and rate limits. One address may send half of `rate` requests a second, all
 * together `rate`; the stage itself throttles only each method. The total limit is a circuit breaker: above it, nobody
 * gets a response until traffic falls. One token or API key may send `perToken` requests in five minutes, if that is set.
 */
export function createWebAcl(scope: Construct, stage: Stage, { rate, perToken }: Settings['throttle']): void {
  // Sampled requests would show headers, and so tokens, to everybody with access to the AWS console.
  const buildVisibility = (metricName: string) => ({
    metricName,
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: false,
  });
  const buildManagedRule = (name: string, counted: string[] = []): Rule => ({
    name,
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
    name: string,
    statement: CfnWebACL.RateBasedStatementProperty & { evaluationWindowSec: number },
  ): Rule => ({
    name,
    action: buildBlockAction(statement.evaluationWindowSec),
    statement: { rateBasedStatement: statement },
    visibilityConfig: buildVisibility(name),
  });

  const rules: Rule[] = [
    buildRateRule('RateOfAddress', {
      aggregateKeyType: 'IP',
      evaluationWindowSec: windowSeconds,
      limit: (rate / 2) * windowSeconds,
    }),
    ...(perToken === undefined
      ? []
      : [
          buildRateRule('RateOfToken', {
            aggregateKeyType: 'CUSTOM_KEYS',
            customKeys: [{ header: { name: 'authorization', textTransformations: sameToken } }],
            evaluationWindowSec: windowSeconds,
            limit: perToken,
          }),
        ]),
    buildManagedRule('AWSManagedRulesAmazonIpReputationList'),
    buildManagedRule(
      'AWSManagedRulesCommonRuleSet',
      bodyRules.map((rule) => `${rule}_BODY`),
    ),
    // Last, so that requests blocked by another rule do not count.
    buildRateRule('RateOfAll', {
      aggregateKeyType: 'CONSTANT',
      evaluationWindowSec: 60,
      limit: rate * 60,
      scopeDownStatement: everyRequest,
    }),
  ];
  const acl = new CfnWebACL(scope, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: buildVisibility('WebAcl'),
    customResponseBodies: { throttled: { contentType: 'APPLICATION_JSON', content: toErrorBody(throttled) } },
    rules: rules.map((rule, priority) => ({ ...rule, priority })),
  });
  new CfnWebACLAssociation(scope, 'WebAclAssociation', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
}
