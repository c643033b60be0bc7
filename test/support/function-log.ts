import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { MeasuredRequest } from '../../infra/commands/cost/measured.ts';
import type { Reply } from './api.ts';
import { eventually } from './timeouts.ts';

/** The log line that a function writes for each request. */
export type LogLine = Omit<MeasuredRequest, 'case' | 'answer_bytes' | 'log_bytes'>;

/** Waits for the log line of a request. Returns it with the total bytes that the function and gateway logged. */
export const readLog = ({ headers }: Reply): Promise<{ line: LogLine; bytes: number }> =>
  eventually(() => {
    const [own = [], access = []] = ['functions.log', 'access.log'].map((name) =>
      readFileSync(join(inject('dataDir'), 'logs', name), 'utf8')
        .split('\n')
        .filter((line) => line.includes(String(headers.get('x-request-id')))),
    );
    const line: LogLine | undefined = own.map((json) => JSON.parse(json)).find(({ route }) => route);
    if (!line || access.length === 0) throw new Error('not logged yet');
    return { line, bytes: Buffer.byteLength([...own, ...access].join('')) };
  });
