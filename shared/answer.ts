/** What a handler answers, before it is HTTP: the body, and the facts from which headers are made. */
export interface Answer<Body = unknown> {
  body: Body;
  /** The body's entity tag, in quotes. */
  etag?: string;
  /** The id of what was created; becomes the last segment of `Location`. */
  created?: string;
  /** The cursor of the next page. */
  next?: string;
}
