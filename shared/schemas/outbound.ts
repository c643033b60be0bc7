import * as v from 'valibot';
import { define } from '../define.ts';
import { maxCharacters, record, rule } from './common.ts';

/** URL that the service is to request. The rules for its host are in shared/outbound/url-rules.ts. */
export const OutboundUrl = (example: string) =>
  v.pipe(
    v.string(),
    maxCharacters(2_048),
    rule('url_parsing', 'uri', `Input should be a URL such as ${example}`, (text: string) => URL.canParse(text)),
  );

/** Names of headers that the service sets itself, or that belong to the connection. */
const reservedHeader =
  /^(?:host|connection|transfer-encoding|te|trailer|upgrade|expect|keep-alive|cookie|user-agent|idempotency-key|content-.*|proxy-.*|webhook-.*)$/i;
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const headerValue = /^[\t\x20-\x7e]{0,1000}$/;
const maxHeaders = 10;
const maxHeaderCharacters = 2_000;

/** True if a text may be the name of a header that a client adds. */
export const isExtraHeader = (name: string): boolean => headerName.test(name) && !reservedHeader.test(name);

/** True if a text may be the value of a header. */
export const isHeaderValue = (text: string): boolean => headerValue.test(text);

const HeaderValue = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule('header_value', headerValue.source, 'Input should be up to 1,000 printable ASCII characters', isHeaderValue),
  ),
);

/** Headers that each request carries in addition, such as `x-team`. */
export const ExtraHeaders = /* @__PURE__ */ define(() =>
  v.pipe(
    record(HeaderValue),
    rule(
      'headers',
      { maxProperties: maxHeaders, propertyNames: { pattern: headerName.source } },
      'Input should be up to 10 headers of 2,000 characters together, none of which the service or the connection sets',
      (headers: Record<string, string>) => {
        const names = Object.keys(headers);
        return (
          names.length <= maxHeaders &&
          names.every(isExtraHeader) &&
          Object.entries(headers).flat().join('').length <= maxHeaderCharacters &&
          new Set(names.map((name) => name.toLowerCase())).size === names.length
        );
      },
    ),
  ),
);
