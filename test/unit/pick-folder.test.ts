import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type LocalHost, pickFolder } from '../../infra/local/running.ts';

const host = (dir: string, port: number): LocalHost => ({
  dir,
  running: { pid: 1, endpoints: {}, url: `http://127.0.0.1:${port}` },
});
const [first, second] = [host('/data/first', 3000), host('/data/second', 3001)];

test('takes the folder that DATA_DIR names, whatever runs', () => {
  expect(pickFolder([first, second], { DATA_DIR: '/data/third', PORT: '3000' })).toBe('/data/third');
});

test('takes the folder of the only host that runs', () => {
  expect(pickFolder([second], {})).toBe('/data/second');
});

test('takes the folder of the host at PORT', () => {
  expect(pickFolder([first, second], { PORT: '3001' })).toBe('/data/second');
  expect(() => pickFolder([first], { PORT: '3001' })).toThrow('No host runs at port 3001: start it');
});

test('takes .local if nothing runs', () => {
  expect(pickFolder([], { DATA_DIR: '' })).toBe(resolve('.local'));
});

test('asks which one if several hosts run', () => {
  expect(() => pickFolder([first, second], {})).toThrow(
    'Several hosts run. Say which one:\n  DATA_DIR=/data/first  (http://127.0.0.1:3000)\n  DATA_DIR=/data/second  (http://127.0.0.1:3001)',
  );
});
