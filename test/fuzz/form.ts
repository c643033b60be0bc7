import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from './document.ts';
import { told } from './odd.ts';
import { nearly, valid } from './values.ts';

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

/** A file whose bytes say nothing, or that has none. */
const oddFile = fc.tuple(filePart, fc.uint8Array({ maxLength: 200 })).map(([file, content]) => ({ ...file, content }));

/** A form, as browsers write one; what is no text goes as JSON. */
function formOf(fields: Record<string, unknown>, file: { name: string; type: string; content: Uint8Array }): Buffer {
  const pieces = Object.entries(fields).flatMap(([name, value]) => {
    const quoted = name.toWellFormed().replace(/["\r\n]/g, '_');
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted}"`;
    if (value === isFile) {
      const disposition = `; filename="${file.name.replace(/"/g, '%22')}"\r\nContent-Type: ${file.type || 'text/plain'}`;
      return [Buffer.from(`${head}${disposition}\r\n\r\n`), Buffer.from(file.content), Buffer.from('\r\n')];
    }
    return [Buffer.from(`${head}\r\n\r\n${told(value)}\r\n`)];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

/** Stands for the file among the fields of a form. */
const isFile = 'a file';

/** A form's fields are texts; null in one means that it is left out. */
function fieldsAsSent(value: unknown): Record<string, unknown> {
  const sent = Object.entries(Object(value) as object).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(sent);
}

const fileSchema = (schema: Schema): Schema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [
      name,
      field.format === 'binary' ? { const: isFile } : field,
    ]),
  ),
});

/** A form as a schema asks for it: its file is of a kind that is read, and has a name. */
export const validForm = (schema: Schema): Arbitrary<Buffer> =>
  fc
    .tuple(valid(fileSchema(schema)), filePart)
    .map(([fields, file]) => formOf(fieldsAsSent(fields), { ...file, name: file.name || 'x' }));

/** A form in which a field or the file is wrong, or odd. */
export const nearlyForm = (schema: Schema): Arbitrary<Buffer> =>
  fc
    .tuple(nearly(fileSchema(schema)), fc.oneof(filePart, oddFile))
    .map(([fields, file]) => formOf(fieldsAsSent(fields), file));
