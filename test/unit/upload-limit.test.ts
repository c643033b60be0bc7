import { describe, expect, test } from 'vitest';
import { getMaxUploadBytes } from '../../shared/domain/upload-limit.ts';
import { mediaTypes } from '../../shared/reading/media-types.ts';
import { maxTextBytes, maxUploadBytes } from '../../shared/schemas/knowledge-base.ts';

const getLimit = (file_name: string, content_type = '') => getMaxUploadBytes({ file_name, content_type });

describe('the size of an upload', () => {
  test.each(Object.entries(mediaTypes))('is limited by the kind that its name or type declares: %s', (kind, type) => {
    const limit = ['txt', 'markdown', 'html', 'csv', 'json'].includes(kind) ? maxTextBytes : maxUploadBytes;
    expect(getLimit('a', type)).toBe(limit);
    expect(getLimit(`a.${kind}`)).toBe(limit);
    expect(getLimit(` A.${kind.toUpperCase()} `, 'application/octet-stream')).toBe(limit);
  });

  test.each([
    ['scan.jpg', 'application/octet-stream'],
    ['scan.TIF', ''],
    ['letter.dotx', ''],
    ['macros.xlsm', ''],
    ['show.ppsx', ''],
    ['template.otp', ''],
    ['photo', 'image/jpg'],
    ['letter', 'application/vnd.ms-word.document.macroEnabled.12'],
  ])('is that of a file that is more than text: %s as %s', (name, type) => {
    expect(getLimit(name, type)).toBe(maxUploadBytes);
  });

  test.each([
    ['prices.csv', 'application/vnd.ms-excel'],
    ['index.html', 'application/pdf'],
    ['drawing.svg', 'image/svg+xml'],
    ['feed', 'application/vnd.api+json'],
    ['app.log', 'application/octet-stream'],
    ['NOTES', ''],
  ])('is that of text for a file that may be: %s as %s', (name, type) => {
    expect(getLimit(name, type)).toBe(maxTextBytes);
  });
});
