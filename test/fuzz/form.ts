import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from './document.ts';
import { toText } from './odd-values.ts';
import { generateNearlyValid, generateValid } from './values.ts';

const boundary = '----fuzz';
export const formType = `multipart/form-data; boundary=${boundary}`;

const toBytes = (text: string): Uint8Array => Buffer.from(text);

const filePart = fc.record({
  name: fc.constantFrom('notes.txt', 'a.pdf', '../x.html', 'ü 👋.csv', 'x'.repeat(300), '"', ''),
  type: fc.constantFrom('text/plain', 'application/pdf', 'x/y; z', ''),
  content: fc
    .oneof(
      fc.lorem(),
      fc.lorem().map((words) => `{"a":"${words}"}`),
      fc.constantFrom('%PDF-1.7\n', '<!doctype html><p>ü'),
    )
    .map(toBytes),
});

/** File with random content, or none. */
const oddFile = fc.tuple(filePart, fc.uint8Array({ maxLength: 200 })).map(([file, content]) => ({ ...file, content }));

/** Serializes a form like a browser does. Values that are not strings become JSON. */
function buildForm(fields: Record<string, unknown>, file: { name: string; type: string; content: Uint8Array }): Buffer {
  const pieces = Object.entries(fields).flatMap(([name, value]) => {
    const quoted = name.toWellFormed().replace(/["\r\n]/g, '_');
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted}"`;
    if (value === filePlaceholder) {
      const disposition = `; filename="${file.name.replace(/"/g, '%22')}"\r\nContent-Type: ${file.type || 'text/plain'}`;
      return [Buffer.from(`${head}${disposition}\r\n\r\n`), Buffer.from(file.content), Buffer.from('\r\n')];
    }
    return [Buffer.from(`${head}\r\n\r\n${toText(value)}\r\n`)];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

/** Value that marks the file among the fields of a form. */
const filePlaceholder = 'a file';

/** Drops null and undefined fields: a form cannot express them. */
function dropEmptyFields(value: unknown): Record<string, unknown> {
  const sent = Object.entries(Object(value) as object).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(sent);
}

const replaceFileSchema = (schema: Schema): Schema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [
      name,
      field.format === 'binary' ? { const: filePlaceholder } : field,
    ]),
  ),
});

/** Generates forms that match a schema. The file has a supported type and a name. */
export const generateValidForm = (schema: Schema): Arbitrary<Buffer> =>
  fc
    .tuple(generateValid(replaceFileSchema(schema)), filePart)
    .map(([fields, file]) => buildForm(dropEmptyFields(fields), { ...file, name: file.name || 'x' }));

/** Generates forms with a wrong or unusual field or file. */
export const generateNearlyValidForm = (schema: Schema): Arbitrary<Buffer> =>
  fc
    .tuple(generateNearlyValid(replaceFileSchema(schema)), fc.oneof(filePart, oddFile))
    .map(([fields, file]) => buildForm(dropEmptyFields(fields), file));
