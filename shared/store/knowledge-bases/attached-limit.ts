import { env } from '../../env.ts';
import { Conflict } from '../../errors.ts';

/** Maximum number of knowledge bases of an assistant in this environment. A lower setting detaches none. */
export const maxAttached = Number(env('MAX_ATTACHED'));

export const tooManyAttached = (...loc: string[]) =>
  new Conflict(loc, `An assistant may have at most ${maxAttached} knowledge bases: detach one first`);
