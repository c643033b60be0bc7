import { describe, expect, test } from 'vitest';
import { findRefusal, getLargestSize, getUploadMethod } from '../../../console/src/knowledge/upload/file-check.ts';
import { maxPostedBytes, maxTextBytes, maxUploadBytes } from '../../../shared/schemas/knowledge-base.ts';

const file = (name: string, type = '', size = 100) => ({ name, type, size });

test.each([
  [1, 'form'],
  [maxPostedBytes, 'form'],
  [maxPostedBytes + 1, 'direct'],
  [maxUploadBytes, 'direct'],
] as const)('uploads %i bytes by the method "%s"', (size, way) => {
  expect(getUploadMethod({ size })).toBe(way);
});

describe('a file that the API would certainly reject', () => {
  test('is empty or too large', () => {
    expect(findRefusal(file('a.pdf', 'application/pdf', 0))).toBe('empty');
    expect(findRefusal(file('a.pdf', 'application/pdf', maxUploadBytes))).toBeUndefined();
    expect(findRefusal(file('a.pdf', 'application/pdf', maxUploadBytes + 1))).toBe('too-large');
    expect(findRefusal(file('a.csv', 'text/csv', maxTextBytes))).toBeUndefined();
    expect(findRefusal(file('a.csv', 'text/csv', maxTextBytes + 1))).toBe('too-large');
    expect(getLargestSize(file('a.csv'))).toBe(maxTextBytes);
  });

  test.each([
    ['talk.mp3', 'audio/mpeg'],
    ['film.mp4', 'video/mp4'],
    ['photo.heic', 'image/heic'],
    ['drawing.vsd', 'application/vnd.visio'],
    ['slides.ppt', 'application/vnd.ms-powerpoint'],
    ['old.doc', 'application/msword'],
    ['all.zip', 'application/zip'],
    ['all.zip', 'application/x-zip-compressed'],
  ])('has an unsupported media type: %s', (name, type) => {
    expect(findRefusal(file(name, type))).toBe('unreadable');
  });

  test.each([
    ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['a.odp', 'application/vnd.oasis.opendocument.presentation'],
    ['macros.xlsm', 'application/vnd.ms-excel.sheet.macroEnabled.12'],
    ['a.eml', 'message/rfc822'],
    ['scan.TIFF', 'image/tiff'],
    ['prices.csv', 'application/vnd.ms-excel'],
    ['NOTES', ''],
    ['app.log', 'application/octet-stream'],
    ['drawing.svg', 'image/svg+xml'],
    ['feed', 'application/vnd.api+json'],
  ])('is not one that may be readable: %s as %s', (name, type) => {
    expect(findRefusal(file(name, type))).toBeUndefined();
  });
});
