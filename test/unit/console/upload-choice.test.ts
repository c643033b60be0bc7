import { describe, expect, it } from 'vitest';
import { refusalOf, wayOf } from '../../../console/src/knowledge/upload/choice.ts';
import { maxPostedBytes, maxUploadBytes } from '../../../shared/schemas/knowledge-base.ts';

const file = (name: string, type = '', size = 100) => ({ name, type, size });

it.each([
  [1, 'posted'],
  [maxPostedBytes, 'posted'],
  [maxPostedBytes + 1, 'straight'],
  [maxUploadBytes, 'straight'],
] as const)('%i bytes are %s', (size, way) => {
  expect(wayOf({ size })).toBe(way);
});

describe('what the service would refuse for certain', () => {
  it('is what is empty or too large', () => {
    expect(refusalOf(file('a.pdf', 'application/pdf', 0))).toBe('empty');
    expect(refusalOf(file('a.pdf', 'application/pdf', maxUploadBytes))).toBeUndefined();
    expect(refusalOf(file('a.pdf', 'application/pdf', maxUploadBytes + 1))).toBe('too-large');
  });

  it.each([
    ['talk.mp3', 'audio/mpeg'],
    ['film.mp4', 'video/mp4'],
    ['cat.gif', 'image/gif'],
    ['sheet.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['old.doc', 'application/msword'],
    ['all.zip', 'application/zip'],
    ['all.zip', 'application/x-zip-compressed'],
  ])('is of another kind: %s', (name, type) => {
    expect(refusalOf(file(name, type))).toBe('unreadable');
  });

  it.each([
    ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['scan.TIFF', 'image/tiff'],
    ['prices.csv', 'application/vnd.ms-excel'],
    ['NOTES', ''],
    ['app.log', 'application/octet-stream'],
    ['drawing.svg', 'image/svg+xml'],
    ['feed', 'application/vnd.api+json'],
  ])('is not what may be readable: %s as %s', (name, type) => {
    expect(refusalOf(file(name, type))).toBeUndefined();
  });
});
