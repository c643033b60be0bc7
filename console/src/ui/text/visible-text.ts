import { common } from '../../strings/common.ts';

/** Removes invisible characters and surrounding spaces. The rest is what a user can see and type. */
export const stripInvisible = (text: string): string => text.replace(/\p{Cf}/gu, '').trim();

/** Removes characters that reverse the direction of the text after them. */
export const stripBidiControls = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

/**
 * Returns a name to show in a link or button, or `instead` if nothing of the name is visible: users need something to
 * click.
 */
export const toVisibleName = (name: string, fallback: string = common.nameless): string =>
  stripInvisible(name) === '' ? fallback : name;
