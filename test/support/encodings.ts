/** Maps of the characters of an encoding to their bytes, by its name. */
const tables = new Map<string, Map<string, number[]>>();

/** Builds the table of an encoding by decoding all its one- and two-byte characters. */
function buildTable(encoding: string): Map<string, number[]> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const table = new Map<string, number[]>();
  const add = (bytes: number[]) => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      if ([...text].length === 1 && !table.has(text)) table.set(text, bytes);
    } catch {
      // not a character
    }
  };
  for (let first = 0; first < 256; first++) add([first]);
  for (let first = 0x81; first < 0xff; first++) for (let second = 0x40; second < 0xff; second++) add([first, second]);
  return table;
}

/** Encodes text in any encoding that TextDecoder knows. Throws if the encoding lacks a character. */
export function encodeAs(encoding: string, text: string): Uint8Array<ArrayBuffer> {
  const table = tables.get(encoding) ?? buildTable(encoding);
  tables.set(encoding, table);
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character);
      if (!bytes) throw new Error(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
}

/** Encodes text in UTF-32 without a byte order mark. */
export function encodeUtf32(text: string, littleEndian: boolean): Uint8Array<ArrayBuffer> {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const view = new DataView(new ArrayBuffer(codes.length * 4));
  for (const [i, code] of codes.entries()) view.setUint32(i * 4, code, littleEndian);
  return new Uint8Array(view.buffer);
}
