/** Characters that a terminal obeys instead of showing them, or that reverse the text around them. */
export const obeyed = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

const escapeCharacter = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Returns a text of several lines as it is safe to print: control characters are written as `\u{1b}`. */
export const toPrintable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(obeyed, (character) =>
      character === '\n' || character === '\t' ? character : escapeCharacter(character),
    );

/** Returns a text such as a name as it is safe to print within a line: line breaks and tabs are escaped, too. */
export const toPrintableLine = (text: string): string => text.toWellFormed().replace(obeyed, escapeCharacter);
