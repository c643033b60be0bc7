import { type Assembly, expectOnly } from '../template.ts';

interface RuleProperties {
  EventPattern?: object;
  ScheduleExpression?: string;
  EventBusName?: string;
  State?: string;
  Targets: RuleTarget[];
}

export interface RuleTarget {
  Id: string;
  Arn: string;
}

/** A rule of the templates: it has either a pattern of the events that it forwards, or a schedule. */
export interface EventRule {
  pattern?: object | undefined;
  schedule?: string | undefined;
  /** Name of its bus. Undefined for the default one. */
  bus?: string | undefined;
  /** Empty if the rule is disabled. */
  targets: RuleTarget[];
}

/** Lists the rules of the templates. Throws on unsupported properties. */
export const listRules = (assembly: Assembly): EventRule[] =>
  assembly.listResources('AWS::Events::Rule').map(({ stack, Properties }) => {
    expectOnly(['EventPattern', 'ScheduleExpression', 'EventBusName', 'State', 'Targets', 'Tags'], Properties);
    const rule = assembly.resolve(Properties, stack) as RuleProperties;
    return {
      pattern: rule.EventPattern,
      schedule: rule.ScheduleExpression,
      bus: rule.EventBusName,
      targets: rule.State === 'DISABLED' ? [] : rule.Targets,
    };
  });
