import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type LocalHost, pickDataDir } from '../../infra/local/running-hosts.ts';

const createHost = (dir: string, port: number): LocalHost => ({
  dir,
  running: { pid: 1, endpoints: {}, url: `http://127.0.0.1:${port}` },
});
const [first, second] = [createHost('/data/first', 3000), createHost('/data/second', 3001)];

test('takes DATA_DIR even if hosts run', () => {
  expect(pickDataDir([first, second], { DATA_DIR: '/data/third', PORT: '3000' })).toBe('/data/third');
});

test('takes the folder of the only running host', () => {
  expect(pickDataDir([second], {})).toBe('/data/second');
});

test('takes the folder of the host at PORT', () => {
  expect(pickDataDir([first, second], { PORT: '3001' })).toBe('/data/second');
  expect(() => pickDataDir([first], { PORT: '3001' })).toThrow('No host runs at port 3001: start it');
});

test('takes .local if no host runs', () => {
  expect(pickDataDir([], { DATA_DIR: '' })).toBe(resolve('.local'));
});

test('lists the choices if several hosts run', () => {
  expect(() => pickDataDir([first, second], {})).toThrow(
    'Several hosts run. Choose one:\n  DATA_DIR=/data/first  (http://127.0.0.1:3000)\n  DATA_DIR=/data/second  (http://127.0.0.1:3001)',
  );
});
