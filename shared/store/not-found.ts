import { NotFound } from '../errors.ts';

/** 404s that several stores tell. `loc` is where the request names the thing. */

export const noAssistant = (...loc: string[]) => new NotFound(loc, 'You have no assistant with this id');

export const noKnowledgeBase = (...loc: string[]) => new NotFound(loc, 'You have no knowledge base with this id');
