import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Measured } from '../../infra/cost/measured.ts';
import type { Reply } from './api.ts';
import { eventually } from './patience.ts';

/** What a function logs of each request. */
export type Line = Omit<Measured, 'case' | 'answer_bytes' | 'log_bytes'>;

/** What the function logged of a request, once it has, and how many bytes it and the gateway did. */
export const logged = ({ headers }: Reply): Promise<{ line: Line; bytes: number }> =>
  eventually(() => {
    const [own = [], access = []] = ['functions.log', 'access.log'].map((name) =>
      readFileSync(join(inject('dataDir'), 'logs', name), 'utf8')
        .split('\n')
        .filter((line) => line.includes(String(headers.get('x-request-id')))),
    );
    const line: Line | undefined = own.map((json) => JSON.parse(json)).find(({ route }) => route);
    if (!line || access.length === 0) throw new Error('not logged yet');
    return { line, bytes: Buffer.byteLength([...own, ...access].join('')) };
  });
