import { toPrintable } from '../../shared/domain/printable.ts';

/** Prints lines, whose control characters a terminal does not obey: names of users may have some. */
export const print = (text: string): void => console.log(toPrintable(text));
