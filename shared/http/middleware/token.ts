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
import {
  chooseMembership,
  listMemberships,
  listRoleScopes,
  type Membership,
  type WorkspaceRules,
} from '../../domain/workspace.ts';
import { env } from '../../env.ts';
import { InvalidToken, Unavailable } from '../../errors.ts';
import { toUserKey, toWorkspaceKey } from '../../store/table/keys.ts';
import { toUserLabel } from '../../telemetry/log-line.ts';
import type { User } from '../../user.ts';
import { findLimits, quotaRules } from './tier.ts';
import { TtlCache } from './ttl-cache.ts';

/** Fetches the issuer's keys over http or https. The library's fetcher supports https only. */
const fetchJwks = (uri: string): Promise<ArrayBuffer> =>
  new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(new FetchError(uri, cause));
    const get = uri.startsWith('https:') ? httpsGet : httpGet;
    const request = get(uri, { timeout: 3_000 }, (response) => {
      const chunks: Buffer[] = [];
      if (response.statusCode !== 200) fail(`status ${response.statusCode}`);
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks)).buffer));
    });
    request.on('timeout', () => request.destroy(new Error('timed out')));
    request.on('error', fail);
  });

const issuer = env('ISSUER');
const audiences: unknown[] = env('AUDIENCES').split(' ');
const isAudience = (claim: unknown): boolean => audiences.includes(claim);
const tokenUse = process.env.TOKEN_USE;

/** Map from the id of a machine client to the `sub` of the user that it acts as. */
const machineClients: Record<string, string> = JSON.parse(env('MACHINE_CLIENTS'));

/** Rules of workspaces. Undefined if nobody shares a workspace. */
export const workspaceRules: WorkspaceRules | undefined =
  process.env.WORKSPACES === undefined ? undefined : JSON.parse(process.env.WORKSPACES);

/** Latest time that a JavaScript Date can hold. */
const maxEpochSeconds = 8.64e12;

type Claims = Record<string, unknown>;

/**
 * Checks the claims that the library does not check. (It checks the signature, the issuer, `exp` and `nbf`.)
 * A token names its audience in `aud` (RFC 9068, section 3). Cognito's tokens have none. They are accepted if they were issued to our
 * client or to a configured machine client.
 */
function checkClaims(
  payload: Claims,
  isConfiguredClient: boolean,
): asserts payload is Claims & { sub: string; exp: number; scope?: string } {
  const { aud, client_id, exp, sub, token_use } = payload;
  if (typeof exp !== 'number' || exp > maxEpochSeconds) throw new InvalidToken('The token has no usable expiry (exp)');
  if (typeof sub !== 'string' || sub === '' || !sub.isWellFormed())
    throw new InvalidToken('The token has no user (sub)');
  const isOurs = aud === undefined ? isAudience(client_id) || isConfiguredClient : [aud].flat().some(isAudience);
  if (!isOurs) throw new InvalidToken('The token was issued for another audience');
  if (tokenUse && token_use !== tokenUse) throw new InvalidToken(`Send the ${tokenUse} token`);
}

/** Values of the `typ` header that access tokens have (RFC 8725, section 3.11; RFC 9068, section 4). */
const accessTokenTypes = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/**
 * Throws InvalidToken on an ID token, which identifies a user but grants no access. Detects the claims that OpenID Connect defines
 * for ID tokens, and the markers of Cognito (`token_use`) and Keycloak (`typ`). A token that is marked as an access token may have a
 * nonce: Keycloak before version 24 adds one.
 */
function rejectIdToken(type: string | undefined, { token_use, typ, ...claims }: Claims): void {
  if (type?.endsWith('at+jwt') || typ === 'Bearer') return;
  const isMarked = token_use === 'id' || typ === 'ID';
  if (isMarked || ['nonce', 'at_hash', 'c_hash'].some((name) => name in claims))
    throw new InvalidToken('Send the access token: this is an ID token');
}

/** Rejects tokens that are not access tokens, and tokens with a critical extension (RFC 7515, section 4.1.11): none is supported. */
function checkTokenType({ header, payload }: { header: JwtHeader; payload: JwtPayload }): void {
  const type = typeof header.typ === 'string' ? header.typ.toLowerCase() : undefined;
  if ('crit' in header || !accessTokenTypes.includes(type))
    throw new InvalidToken('Send an access token: this is another kind');
  rejectIdToken(type, payload);
}

// After a token with an unknown key, the library fetches no keys for this long and rejects tokens with new keys. Keep it short.
const penaltyBox = new SimplePenaltyBox({ waitSeconds: 1 });

const verifier = JwtVerifier.create(
  { issuer, audience: null, jwksUri: env('JWKS_URI'), customJwtCheck: checkTokenType },
  { jwksCache: new SimpleJwksCache({ fetcher: { fetch: fetchJwks }, penaltyBox }) },
);
// Fetches the keys while the function starts. If this fails, the first request retries.
verifier.hydrate().catch(() => {});

const isIssuerError = (error: unknown) =>
  [FetchError, JwksValidationError, JwkValidationError].some((kind) => error instanceof kind);

/** Returns the claims of a token. Retries a failed fetch of the keys once, because the failed fetch may be the one that the cold start began. */
async function verifyWithRetry(token: string): Promise<Claims> {
  try {
    return await verifier.verify(token);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return verifier.verify(token);
  }
}

/** Returns the reason why the verifier rejected a token, for the caller and the log. Never quotes the token. */
function explainRejection(token: string, cause: unknown): string {
  if (cause instanceof JwtParseError) return 'The token is not a JWT: ask the issuer for an access token for this API';
  if (cause instanceof JwtExpiredError) return 'The token has expired: get a new one';
  if (cause instanceof JwtNotBeforeError) return "The token is not valid yet: check the issuer's clock";
  if (decomposeUnverifiedJwt(token).payload.iss !== issuer) return 'The token is from another issuer (iss)';
  return "The signature matches none of the issuer's keys: get a new token, and send it unchanged";
}

/**
 * Returns the client id of a machine's token; undefined for a person's token. A machine's `sub` is the client id (RFC 9068, section
 * 2.2; Cognito, Okta) or starts with it (Auth0), or the token has a marker (Auth0's `gty`, Entra's `idtyp`).
 */
function findMachineClient({ sub, client_id, azp, cid, appid, gty, idtyp }: Claims): string | undefined {
  const client = [client_id, azp, cid, appid].find((id) => typeof id === 'string') as string | undefined;
  const isMarked = gty === 'client-credentials' || idtyp === 'app';
  if (isMarked && client === undefined)
    throw new InvalidToken('The token is for a machine client, but has no client id');
  return client !== undefined && (isMarked || sub === client || sub === `${client}@clients`) ? client : undefined;
}

/** Returns the `sub` of the user that a machine client acts as. Throws InvalidToken if none is configured. */
function getMachineUser(client: string): string {
  if (Object.hasOwn(machineClients, client)) return machineClients[client] as string;
  throw new InvalidToken('No user is configured for this machine client: add it to machineClients, or use an API key');
}

/** A verified token: its person in their own world, and their workspaces. */
interface VerifiedToken {
  person: User & { expiresAt: string };
  memberships: Membership[];
}

/** Cache of verified tokens. Clients reuse a token for an hour, and checking its signature takes a tenth of a warm request's time. */
const verifiedTokens = new TtlCache<VerifiedToken>(1_000);

/**
 * Returns the user of a token, in the workspace that the header `X-Workspace` chooses. Throws InvalidToken, Conflict or NotAMember, or
 * Unavailable if the issuer cannot be reached.
 */
export async function verifyToken(token: string, header: string | undefined): Promise<User> {
  const { person, memberships } = verifiedTokens.get(token) ?? (await verifyUncached(token));
  const chosen = workspaceRules && chooseMembership(memberships, header);
  if (!workspaceRules || !chosen) return person;
  const { id, role } = chosen;
  return {
    ...person,
    id,
    key: toWorkspaceKey(issuer, id),
    scopes: listRoleScopes(role, workspaceRules),
    workspace: id,
    role,
    member: toUserLabel(person.key),
  };
}

/** True if a token is spelled as its issuer spells it. Padding and spare bits would give one token many spellings. */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

async function verifyUncached(token: string): Promise<VerifiedToken> {
  const payload = await verifyWithRetry(token).catch((cause) => {
    if (cause instanceof InvalidToken) throw cause;
    if (isIssuerError(cause)) throw new Unavailable({ cause });
    throw new InvalidToken(explainRejection(token, cause));
  });
  if (!isCanonical(token))
    throw new InvalidToken('The token has padding or spare bits: send it as the issuer wrote it');
  const machine = findMachineClient(payload);
  const machineUser = machine === undefined ? undefined : getMachineUser(machine);
  checkClaims(payload, machineUser !== undefined);
  const sub = machineUser ?? payload.sub;
  const memberships = workspaceRules ? listMemberships(payload, workspaceRules) : [];
  const person = {
    id: sub,
    key: toUserKey(issuer, sub),
    sub,
    tokenType: 'jwt' as const,
    expiresAt: new Date(payload.exp * 1000).toISOString(),
    scopes: typeof payload.scope === 'string' ? payload.scope.split(' ').filter(Boolean) : [],
    workspaces: memberships.map(({ id }) => id),
    ...findLimits(quotaRules?.tierClaim === undefined ? undefined : payload[quotaRules.tierClaim]),
    ...(machine !== undefined && { client: machine }),
  };
  const verified = { person, memberships };
  verifiedTokens.set(token, verified, Date.parse(person.expiresAt));
  return verified;
}
