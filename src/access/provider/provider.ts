/**
 * The OpenID Connect provider of the installation. It is discovered at its first use, never at the start: keys, passkeys and sessions work
 * while it is away. Errors of the libraries hold answers of the provider, so they are logged by their code alone.
 */
import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Configuration, UserInfoResponse } from 'openid-client';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { type ProviderClaims, readClaims } from './read-claims.ts';

export type ProviderSettings = Pick<
  Config,
  'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_GROUPS_CLAIM' | 'OIDC_NAME' | 'OIDC_SCOPE'
> & { OIDC_ISSUER: string; PUBLIC_URL: string };

/** Secrets of a sign-in that is at the provider. */
export interface ProviderAttempt {
  state: string;
  nonce: string;
  verifier: string;
}

export interface ProviderAnswer extends ProviderClaims {
  issuer: string;
  subject: string;
  sid: string | null;
  idToken: string;
  refreshToken: string | null;
}

/** Answer to a refresh token: `gone` for a person who may not sign in any more, `away` for none. */
export type Refreshed = 'gone' | 'away' | (ProviderClaims & { refreshToken: string });

interface Discovered {
  client: Configuration;
  keys: JWTVerifyGetKey;
  until: number;
}

const TIMEOUT_SECONDS = 5;
const DISCOVERED_MS = 3_600_000;
const CLOCK_TOLERANCE_SECONDS = 30;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Loaded with the first sign-in by the provider. */
const library = () => import('openid-client');

export class Provider {
  readonly issuer: string;
  readonly name: string;
  readonly #settings: ProviderSettings;
  #discovered: Promise<Discovered> | null = null;

  constructor(settings: ProviderSettings) {
    this.#settings = settings;
    this.issuer = settings.OIDC_ISSUER;
    this.name = settings.OIDC_NAME ?? new URL(settings.OIDC_ISSUER).host;
  }

  get callback(): string {
    return `${this.#settings.PUBLIC_URL}/api/sign-in/callback`;
  }

  /** Throws `provider_unavailable`. */
  async begin(): Promise<{ url: string; attempt: ProviderAttempt }> {
    const { client } = await this.#discover();
    const { buildAuthorizationUrl, calculatePKCECodeChallenge, ...random } = await library();
    const attempt = {
      state: random.randomState(),
      nonce: random.randomNonce(),
      verifier: random.randomPKCECodeVerifier(),
    };
    const url = buildAuthorizationUrl(client, {
      redirect_uri: this.callback,
      response_type: 'code',
      scope: this.#settings.OIDC_SCOPE,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, attempt };
  }

  /**
   * Exchanges the code of an answer. `search` is the query as it came: the address is the one of `PUBLIC_URL`, whatever the request says.
   * Throws `provider_unavailable` and `provider_refused`.
   */
  async finish(search: string, { state, nonce, verifier }: ProviderAttempt): Promise<ProviderAnswer> {
    const { client } = await this.#discover();
    const { authorizationCodeGrant } = await library();
    try {
      const tokens = await authorizationCodeGrant(client, new URL(`${this.callback}${search}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined || tokens.id_token === undefined) throw refused('no ID token');
      const told = await this.#userInfo(client, tokens.access_token, claims.sub);
      return {
        ...readClaims(claims, told, this.#settings.OIDC_GROUPS_CLAIM),
        issuer: claims.iss,
        subject: claims.sub,
        sid: typeof claims.sid === 'string' ? claims.sid : null,
        idToken: tokens.id_token,
        refreshToken: tokens.refresh_token ?? null,
      };
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw isAway(error) ? unavailable() : refused(codeOf(error));
    }
  }

  /** Asks whether a person may still sign in. Only `invalid_grant` says that it may not: whatever else goes wrong is no answer. */
  async refresh(refreshToken: string, subject: string): Promise<Refreshed> {
    try {
      const { client } = await this.#discover();
      const { refreshTokenGrant } = await library();
      const tokens = await refreshTokenGrant(client, refreshToken);
      const next = tokens.refresh_token ?? refreshToken;
      const told = await this.#userInfo(client, tokens.access_token, subject).catch(() => 'away' as const);
      const claims = readClaims(
        tokens.claims() ?? {},
        told === 'away' ? null : told,
        this.#settings.OIDC_GROUPS_CLAIM,
      );
      // The new token is kept although userinfo gave nothing: the former may not work any more.
      return { ...claims, ...(told === 'away' ? { groups: null } : {}), refreshToken: next };
    } catch (error) {
      return (error as { error?: unknown } | null)?.error === 'invalid_grant' ? 'gone' : 'away';
    }
  }

  /** Checks a token of back-channel logout. Throws `logout_refused` and `provider_unavailable`. */
  async readLogout(token: string): Promise<{ subject: string | null; sid: string | null; id: string }> {
    const { keys } = await this.#discover();
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer: this.issuer,
        audience: this.#settings.OIDC_CLIENT_ID as string,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['iat', 'jti'],
        maxTokenAge: '10 minutes',
      });
      const { events, nonce, sub, sid, jti } = payload;
      const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
      // Keycloak says "JWT". The event is what tells the token from an ID token, which has a nonce.
      const hasType = [undefined, 'jwt', 'logout+jwt'].includes(protectedHeader.typ?.toLowerCase());
      if (!isLogout || !hasType || nonce !== undefined) throw new Error('not a logout token');
      const subject = typeof sub === 'string' ? sub : null;
      const session = typeof sid === 'string' ? sid : null;
      if (subject === null && session === null) throw new Error('nobody is named');
      return { subject, sid: session, id: String(jti) };
    } catch (error) {
      if (isAway(error)) throw unavailable();
      throw new AppError('logout_refused', 'The logout token is not valid.');
    }
  }

  /** Returns where a browser signs out at the provider; null where the provider offers nothing, or is away. */
  async endSessionUrl(idToken: string): Promise<string | null> {
    try {
      const { client } = await this.#discover();
      if (client.serverMetadata().end_session_endpoint === undefined) return null;
      const { buildEndSessionUrl } = await library();
      return buildEndSessionUrl(client, {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${this.#settings.PUBLIC_URL}/`,
      }).href;
    } catch {
      return null;
    }
  }

  async #userInfo(
    client: Configuration,
    accessToken: string,
    subject: string,
  ): Promise<UserInfoResponse | null> {
    if (client.serverMetadata().userinfo_endpoint === undefined) return null;
    const { fetchUserInfo } = await library();
    return fetchUserInfo(client, accessToken, subject);
  }

  async #discover(): Promise<Discovered> {
    const known = await this.#discovered?.catch(() => null);
    if (known != null && known.until > performance.now()) return known;
    const asked = this.#ask();
    this.#discovered = asked;
    try {
      return await asked;
    } catch {
      if (this.#discovered === asked) this.#discovered = null;
      throw unavailable();
    }
  }

  async #ask(): Promise<Discovered> {
    const { allowInsecureRequests, clockTolerance, discovery } = await library();
    const { OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = this.#settings;
    const issuer = new URL(this.issuer);
    const client = await discovery(
      issuer,
      OIDC_CLIENT_ID as string,
      {
        [clockTolerance]: CLOCK_TOLERANCE_SECONDS,
        ...(OIDC_CLIENT_SECRET === undefined ? {} : { client_secret: OIDC_CLIENT_SECRET }),
      },
      undefined,
      // The configuration allows plain HTTP for this machine alone.
      {
        timeout: TIMEOUT_SECONDS,
        ...(issuer.protocol === 'http:' ? { execute: [allowInsecureRequests] } : {}),
      },
    );
    const keys = createRemoteJWKSet(new URL(client.serverMetadata().jwks_uri ?? ''), {
      timeoutDuration: TIMEOUT_SECONDS * 1000,
    });
    return { client, keys, until: performance.now() + DISCOVERED_MS };
  }
}

/** Returns the provider of the settings; null without one. */
export function openProvider(config: Config): Provider | null {
  const { OIDC_ISSUER, PUBLIC_URL } = config;
  if (OIDC_ISSUER === undefined || PUBLIC_URL === undefined) return null;
  return new Provider({ ...config, OIDC_ISSUER, PUBLIC_URL });
}

/** Codes of the libraries for a provider that gave no usable answer. */
const awayCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_KEY_SELECTION_FAILED',
  'ERR_JWKS_TIMEOUT',
  'ERR_JOSE_GENERIC',
]);

function isAway(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  const { code, status } = (error ?? {}) as { code?: string; status?: number };
  return awayCodes.has(code ?? '') || (status ?? 0) >= 500;
}

function codeOf(error: unknown): string {
  const { error: answered, code } = (error ?? {}) as { error?: unknown; code?: unknown };
  return (
    [answered, code].find((one) => typeof one === 'string' && /^[\w-]{1,60}$/.test(one))?.toString() ??
    'unknown'
  );
}

function unavailable(): AppError {
  return new AppError('provider_unavailable', {
    detail: 'The identity provider does not answer. Try again, or sign in with a passkey or a password.',
    headers: { 'Retry-After': '10' },
  });
}

/** The code is a word of the protocol, such as `access_denied`. */
function refused(code: string): AppError {
  return new AppError('provider_refused', {
    detail: 'The identity provider did not confirm the sign-in. Begin again.',
    extensions: { reason: code },
  });
}
