import { Parser } from 'htmlparser2';
import { limits } from './limits.ts';
import { Unreadable } from './unreadable.ts';

/** Handlers of the parts of an XML document, in their order. */
export interface XmlHandlers {
  open(name: string, attributes: Record<string, string>): void;
  text?(data: string): void;
  close?(name: string): void;
}

/** Size of the pieces that are decoded one by one. */
const pieceBytes = 1_000_000;

function findEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w-]+)/.exec(start)?.[1] ?? 'utf-8';
}

/**
 * Reads XML without keeping it in memory. Expands no entities but those of XML itself, and loads nothing. Throws Unreadable if it is nested
 * too deeply, or not closed. Finds out the encoding unless it is given.
 */
export function readXml(
  bytes: Uint8Array,
  { open, text, close }: XmlHandlers,
  encoding: string = findEncoding(bytes),
): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > limits.depth) throw new Unreadable('too_deep');
        open(name, attributes);
      },
      ontext: text,
      onclosetag(name) {
        depth -= 1;
        close?.(name);
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder(encoding);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    parser.write(decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true }));
  }
  if (depth > 0) throw new Unreadable('damaged'); // truncated
  parser.end();
}

/** Returns a name without its namespace prefix. */
export const toLocalName = (name: string): string => name.slice(name.indexOf(':') + 1);
