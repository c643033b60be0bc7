/** Configuration of a console, served at `/console/config.json`. */
export interface ConsoleConfig {
  /** Base URL of the API, without a trailing slash. */
  api: string;
  /** OIDC issuer that signs users in. */
  issuer: string;
  clientId: string;
  /** Space-separated. */
  scope: string;
  /** Extra parameters of the authorization request, beyond those of OpenID Connect. */
  authorizeParams?: Record<string, string>;
  /** Servers of LiveKit that the console may connect to, as sources of a content security policy: `wss://*.livekit.cloud`. */
  voiceServers: readonly string[];
  /** Languages that the API reads in scans and pictures. */
  ocrLanguages: readonly string[];
}

/** Port of this machine to which a sign-in of the command line returns. Identity providers must know the address. */
export const commandLinePort = 8976;

/** Path to which a sign-in of the command line returns. */
export const commandLinePath = '/signed-in';
