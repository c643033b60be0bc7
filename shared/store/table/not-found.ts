import { NotFound } from '../../errors.ts';

/** 404 errors that several stores throw. `loc` is the location of the id in the request. */

export const assistantNotFound = (...loc: string[]) => new NotFound(loc, 'You have no assistant with this id');

export const knowledgeBaseNotFound = (...loc: string[]) => new NotFound(loc, 'You have no knowledge base with this id');

export const webhookNotFound = () => new NotFound(['path', 'webhook_id'], 'You have no webhook with this id');
