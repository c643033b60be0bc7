/** What a handler answers, before it is HTTP: the body, and the facts from which headers are made. */
export interface Answer<Body = unknown> {
  body: Body;
  /** The body's entity tag, in quotes. */
  etag?: string;
  /** The path of what was created, as the API knows it; becomes `Location`. */
  created?: string;
  /** The cursor of the next page. */
  next?: string;
}

/** What a handler answers to a client that has this version already. */
export interface Unchanged {
  body: null;
  etag: string;
}
