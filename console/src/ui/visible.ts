import { common } from '../strings/common.ts';

/** What of a text can be seen, and so be typed: without characters that take no room, and without space at its ends. */
export const visible = (text: string): string => text.replace(/\p{Cf}/gu, '').trim();

/** A text in which nothing turns the order of what comes after it. */
export const inOrder = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

/** A name as it is shown where one clicks on it: there must be something to click on. `instead`: where nothing can be seen. */
export const nameToShow = (name: string, instead: string = common.nameless): string =>
  visible(name) === '' ? instead : name;
