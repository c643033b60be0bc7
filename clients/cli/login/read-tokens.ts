import { UserError } from '../errors.ts';

/** Tokens that an identity provider issued. */
export interface Tokens {
  token: string;
  refreshToken: string | undefined;
  /** Time until which the token is valid, in milliseconds since 1970. */
  expiresAt: number;
}

/** Validity of a token if the identity provider names none, in seconds. */
const usualSeconds = 3600;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Reads the tokens in an answer of an identity provider. Throws UserError if it issued none. */
export function readTokens(answer: Record<string, unknown>): Tokens {
  const { access_token: token, refresh_token: refreshToken, expires_in } = answer;
  if (!isText(token))
    throw new UserError('The identity provider issued no token: run voice-assistants login, or use --token');
  const seconds = Number(expires_in ?? usualSeconds);
  return {
    token,
    refreshToken: isText(refreshToken) ? refreshToken : undefined,
    expiresAt: Date.now() + (Number.isFinite(seconds) ? seconds : usualSeconds) * 1000,
  };
}
