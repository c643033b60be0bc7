import { env } from '../env.ts';
import { Conflict } from '../errors.ts';

/** How many knowledge bases an assistant may have in this environment. One that has more, from before, keeps them. */
export const maxAttached = Number(env('MAX_ATTACHED'));

export const tooManyAttached = (...loc: string[]) =>
  new Conflict(loc, `An assistant may have at most ${maxAttached} knowledge bases: detach one first`);
