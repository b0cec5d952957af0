/// <reference path="./oidc-provider.d.ts" />
/** A real OpenID Connect provider on this machine, with people, and a browser that signs in there by its pages. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface Account {
  name: string;
  email?: string;
  /** Absent: the provider says nothing about groups. */
  groups?: string[];
}

export const CLIENT_SECRET = 'secret-of-the-client-of-the-tests';

export interface IdentityProvider {
  issuer: string;
  /** People by their subject; one who is removed may not sign in any more. */
  accounts: Map<string, Account>;
  /** What the provider does with requests. */
  state: { away: boolean; refreshes: number };
  /** Where announcements of logouts go, in place of the public address. */
  announceTo(baseUrl: string): void;
  newBrowser(): Browser;
  close(): Promise<void>;
}

/** A browser at the provider: cookies by name, and forms that are sent. */
export interface Browser {
  /** Signs in at the provider, consents, and returns the address that the provider sends the browser back to. */
  signIn(address: string, subject: string): Promise<URL>;
  /** Opens the provider's page of signing out, and confirms. */
  signOut(address: string): Promise<void>;
}

export async function startIdentityProvider(publicUrl: string): Promise<IdentityProvider> {
  const accounts = new Map<string, Account>();
  const state = { away: false, refreshes: 0 };
  let target = '';
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'partbook',
        client_secret: CLIENT_SECRET,
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${publicUrl}/api/sign-in/callback`],
        post_logout_redirect_uris: [`${publicUrl}/`],
        backchannel_logout_uri: `${publicUrl}/api/sign-in/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub', 'groups'], profile: ['name'], email: ['email'] },
    findAccount: (_ctx: unknown, subject: string) => {
      const account = accounts.get(subject);
      return account === undefined
        ? undefined
        : { accountId: subject, claims: () => ({ sub: subject, ...account }) };
    },
    features: { backchannelLogout: { enabled: true }, rpInitiatedLogout: { enabled: true } },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    cookies: { keys: ['of the tests'] },
    fetch: (url: URL | string, { method, headers, body }: RequestInit) =>
      fetch(String(url).replace(publicUrl, target), { method, headers, body } as RequestInit),
  });
  const callback = provider.callback();
  server.on('request', (req, res) => {
    if (state.away) return res.writeHead(503).end();
    if (req.url === '/token') state.refreshes += 1;
    return callback(req, res);
  });
  return {
    issuer,
    accounts,
    state,
    announceTo: (baseUrl) => {
      target = baseUrl;
    },
    newBrowser: () => newBrowser(issuer),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function newBrowser(issuer: string): Browser {
  const cookies = new Map<string, string>();
  /** Follows redirects within the provider; returns the page, or the address outside. */
  const open = async (address: string, form?: Record<string, string>): Promise<URL | string> => {
    const answer = await fetch(address, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await answer.text();
    const location = answer.headers.get('location');
    if (location === null) return text;
    const next = new URL(location, address);
    return next.origin === issuer ? open(next.href) : next;
  };
  const formOf = (page: string) => ({
    action: new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', issuer).href,
    hidden: Object.fromEntries(
      [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    ),
  });
  return {
    signIn: async (address, subject) => {
      let at = await open(address);
      for (let step = 0; typeof at === 'string'; step++) {
        if (step > 3) throw new Error(`the provider shows another page:\n${at}`);
        const { action, hidden } = formOf(at);
        at = await open(action, {
          ...hidden,
          ...(hidden.prompt === 'login' ? { login: subject, password: 'any' } : {}),
        });
      }
      return at;
    },
    signOut: async (address) => {
      const page = await open(address);
      if (typeof page !== 'string') throw new Error('the provider does not ask');
      const { action, hidden } = formOf(page);
      await open(action, { ...hidden, logout: 'yes' });
    },
  };
}
