import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import {
  FetchError,
  JwksValidationError,
  JwkValidationError,
  JwtExpiredError,
  JwtNotBeforeError,
  JwtParseError,
} from 'aws-jwt-verify/error';
import { SimpleJwksCache, SimplePenaltyBox } from 'aws-jwt-verify/jwk';
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import type { JwtHeader, JwtPayload } from 'aws-jwt-verify/jwt-model';
import { JwtVerifier } from 'aws-jwt-verify/jwt-verifier';
import { env } from '../env.ts';
import { InvalidToken, Unavailable } from '../errors.ts';
import { userKey } from '../store/keys.ts';
import type { User } from '../user.ts';
import { Memory } from './memory.ts';

/** Fetches the issuer's keys by the scheme of its address: the library's own fetcher takes https only. */
const fetchKeys = (uri: string): Promise<ArrayBuffer> =>
  new Promise((resolve, reject) => {
    const failed = (cause: unknown) => reject(new FetchError(uri, cause));
    const get = uri.startsWith('https:') ? httpsGet : httpGet;
    const request = get(uri, { timeout: 3_000 }, (response) => {
      const chunks: Buffer[] = [];
      if (response.statusCode !== 200) failed(`status ${response.statusCode}`);
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', failed);
      response.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks)).buffer));
    });
    request.on('timeout', () => request.destroy(new Error('timed out')));
    request.on('error', failed);
  });

const issuer = env('ISSUER');
const audiences: unknown[] = env('AUDIENCES').split(' ');
const isAudience = (claim: unknown): boolean => audiences.includes(claim);
const tokenUse = process.env.TOKEN_USE;

/** Clients that are no person, by their id: the `sub` of the user as whom each acts. */
const machineClients: Record<string, string> = JSON.parse(env('MACHINE_CLIENTS'));

/** The end of JavaScript's calendar. */
const maxSeconds = 8.64e12;

type Claims = Record<string, unknown>;

/**
 * Claims over those that the library checks (signature, issuer, `exp`, `nbf`).
 * A token names its audience in `aud` (RFC 9068, section 3). One without it, as Cognito's are, is meant for us where it is of our
 * client, or of one that the configuration names.
 */
function checkClaims(
  payload: Claims,
  isNamed: boolean,
): asserts payload is Claims & { sub: string; exp: number; scope?: string } {
  const { aud, client_id, exp, sub, token_use } = payload;
  if (typeof exp !== 'number' || exp > maxSeconds) throw new InvalidToken('The token has no usable expiry (exp)');
  if (typeof sub !== 'string' || sub === '' || !sub.isWellFormed())
    throw new InvalidToken('The token names no user (sub)');
  const isOurs = aud === undefined ? isAudience(client_id) || isNamed : [aud].flat().some(isAudience);
  if (!isOurs) throw new InvalidToken('The token was issued for another audience');
  if (tokenUse && token_use !== tokenUse) throw new InvalidToken(`Send the ${tokenUse} token`);
}

/** Values of `typ` in the header of a token that may be an access token (RFC 8725, section 3.11; RFC 9068, section 4). */
const accessTypes = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/**
 * Throws InvalidToken on an ID token, which says who has signed in and allows nothing: one with claims that OpenID Connect has for
 * ID tokens, or marked as one by Cognito (`token_use`) or Keycloak (`typ`). Access tokens that say what they are may have a nonce,
 * as those of Keycloak before version 24 do.
 */
function refuseIdToken(type: string | undefined, { token_use, typ, ...claims }: Claims): void {
  if (type?.endsWith('at+jwt') || typ === 'Bearer') return;
  const isMarked = token_use === 'id' || typ === 'ID';
  if (isMarked || ['nonce', 'at_hash', 'c_hash'].some((name) => name in claims))
    throw new InvalidToken('Send the access token: this is an ID token');
}

/** Checks what the library does not. We understand no extension, and a critical one must be understood (RFC 7515, section 4.1.11). */
function checkKind({ header, payload }: { header: JwtHeader; payload: JwtPayload }): void {
  const type = typeof header.typ === 'string' ? header.typ.toLowerCase() : undefined;
  if ('crit' in header || !accessTypes.includes(type)) throw new Error('critical extension, or no access token');
  refuseIdToken(type, payload);
}

// After a token of an unknown key the library asks for no keys for a while, and so refuses new keys: keep it short.
const penaltyBox = new SimplePenaltyBox({ waitSeconds: 1 });

const verifier = JwtVerifier.create(
  { issuer, audience: null, jwksUri: env('JWKS_URI'), customJwtCheck: checkKind },
  { jwksCache: new SimpleJwksCache({ fetcher: { fetch: fetchKeys }, penaltyBox }) },
);
// Fetch the keys while the function starts; if that fails, the first request tries again.
verifier.hydrate().catch(() => {});

const isIssuersFault = (error: unknown) =>
  [FetchError, JwksValidationError, JwkValidationError].some((kind) => error instanceof kind);

/** The claims of a token. Keys that could not be fetched are asked for once more: the fetch may have begun at the start. */
async function verified(token: string): Promise<Claims> {
  try {
    return await verifier.verify(token);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return verifier.verify(token);
  }
}

/** Returns why the verifier refuses a token, for its sender and the log. Names nothing that the token says. */
function whyRefused(token: string, cause: unknown): string {
  if (cause instanceof JwtParseError) return 'The token is no JWT: ask the issuer for an access token for this API';
  if (cause instanceof JwtExpiredError) return 'The token has expired: get a new one';
  if (cause instanceof JwtNotBeforeError) return 'The token is not valid yet: check the clock of whoever issued it';
  if (decomposeUnverifiedJwt(token).payload.iss !== issuer) return 'The token is from another issuer (iss)';
  return "The token is not signed by one of our issuer's keys, was changed since, or is of another kind";
}

/**
 * The client that a token of no person names, undefined of a person's. Its `sub` is the client itself (RFC 9068, section 2.2;
 * Cognito, Okta), also with an ending (Auth0), or it is marked (Auth0's `gty`, Entra's `idtyp`).
 */
function machineOf({ sub, client_id, azp, cid, appid, gty, idtyp }: Claims): string | undefined {
  const client = [client_id, azp, cid, appid].find((id) => typeof id === 'string') as string | undefined;
  const isMarked = gty === 'client-credentials' || idtyp === 'app';
  if (isMarked && client === undefined) throw new InvalidToken('The token is one of a machine, and names no client');
  return client !== undefined && (isMarked || sub === client || sub === `${client}@clients`) ? client : undefined;
}

/** The `sub` of the user as whom a client acts. Throws InvalidToken where the configuration names none. */
function actedBy(client: string): string {
  if (Object.hasOwn(machineClients, client)) return machineClients[client] as string;
  throw new InvalidToken(
    'The token is one of a machine client that no user is configured for: name it in machineClients, or use an API key',
  );
}

/** Whom tokens stood for: a client sends the same one for an hour, and its signature would be a tenth of a warm request's work. */
const remembered = new Memory<User>(1_000);

/** Whom a token stands for. Throws InvalidToken, or Unavailable where the issuer cannot be reached. */
export async function userOf(token: string): Promise<User> {
  const known = remembered.get(token);
  if (known) return known;
  const user = await userBehind(token);
  remembered.put(token, user, Date.parse(user.expiresAt));
  return user;
}

async function userBehind(token: string): Promise<User & { expiresAt: string }> {
  const payload = await verified(token).catch((cause) => {
    if (cause instanceof InvalidToken) throw cause;
    if (isIssuersFault(cause)) throw new Unavailable({ cause });
    throw new InvalidToken(whyRefused(token, cause));
  });
  const machine = machineOf(payload);
  const sub = machine === undefined ? undefined : actedBy(machine);
  checkClaims(payload, sub !== undefined);
  const id = sub ?? payload.sub;
  return {
    id,
    key: userKey(issuer, id),
    tokenType: 'jwt',
    expiresAt: new Date(payload.exp * 1000).toISOString(),
    scopes: typeof payload.scope === 'string' ? payload.scope.split(' ').filter(Boolean) : [],
    ...(machine !== undefined && { client: machine }),
  };
}
