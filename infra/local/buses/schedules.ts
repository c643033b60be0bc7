import type { FunctionRunner } from '../lambda/function-runner.ts';
import { type Assembly, expectOnly } from '../template.ts';
import { listRules } from './rules.ts';

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Parses `rate(5 minutes)` to milliseconds. Throws on any other expression. */
export function parseRate(expression: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const ms = Number(count) * (unitMs[unit] ?? 0);
  if (!(ms > 0)) throw new Error(`The local host does not support the schedule ${expression}`);
  return ms;
}

/**
 * Runs the functions of scheduled rules, the first time after one period. `findRunner` returns the function behind an alias's ARN. `log`
 * receives failures. Returns a function that stops the schedules and waits for runs in progress.
 */
export function startSchedules(
  assembly: Assembly,
  findRunner: (aliasArn: string) => FunctionRunner,
  log: (sentence: string) => void,
): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const run = async (runner: FunctionRunner): Promise<void> => {
    const time = new Date().toISOString();
    try {
      await runner.invoke({ 'detail-type': 'Scheduled Event', source: 'aws.events', time, detail: {} });
    } catch (error) {
      log(`${runner.spec.name}: ${error instanceof Error ? error.message : error}`);
    }
  };
  const timers = listRules(assembly).flatMap(({ schedule, targets }) => {
    if (!schedule) return [];
    const period = parseRate(schedule);
    return targets.map((target) => {
      expectOnly(['Id', 'Arn'], target);
      const runner = findRunner(target.Arn);
      const start = () => {
        const ended = run(runner).finally(() => running.delete(ended));
        running.add(ended);
      };
      return setInterval(start, period).unref();
    });
  });
  return async () => {
    timers.forEach(clearInterval);
    await Promise.all(running);
  };
}
