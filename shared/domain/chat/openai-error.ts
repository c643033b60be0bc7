import { type ApiError, failures } from '../../errors.ts';

/** Error in the format of OpenAI's API. */
export interface OpenAiError {
  message: string;
  type: string;
  code: string | null;
  /** Path of the field at fault, such as `messages.0.content`. */
  param: string | null;
}

const types: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  500: 'server_error',
  502: 'server_error',
  503: 'server_error',
};

/** Converts an error to the form that OpenAI's clients read. */
export function toOpenAiError({ failure, detail }: ApiError): OpenAiError {
  const [first] = detail;
  const [place, ...path] = first?.loc ?? [];
  return {
    message: detail.map(({ loc, msg }) => (loc[0] === 'body' ? `${loc.slice(1).join('.')}: ${msg}` : msg)).join('; '),
    type: types[failures[failure].status] ?? 'invalid_request_error',
    code: first?.type ?? null,
    param: place === 'body' && path.length > 0 ? path.join('.') : null,
  };
}
