// Passkeys: made by the person behind a link, used to sign in, and refused where anything does not fit.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAuthenticator } from '../setup/authenticator.ts';
import { startTestServer, type TestServer, type TestWorkspace } from '../setup/server.ts';

const origin = 'https://parts.example.com';
const rpId = 'parts.example.com';
let server: TestServer;
let workspace: TestWorkspace;
let addresses = 0;
const ownPage = () => ({ 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': `203.0.113.${++addresses}` });
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  server.request(path, { body, headers: { ...ownPage(), ...headers } });
beforeAll(async () => {
  server = await startTestServer({ environment: { TRUST_PROXY: '1', PUBLIC_URL: origin } });
  workspace = await server.createWorkspace();
});
afterAll(() => server.close());

const cookieOf = (headers: Headers) =>
  /partbook_person=[\w-]{43}/.exec(headers.get('set-cookie') ?? '')?.[0] ?? '';
async function invite(name: string): Promise<string> {
  const body = { name, areas: ['read'] };
  const made = await server.request(`${workspace.path}/invitations`, { key: workspace.key, body });
  return new URL(made.body.url).hash.slice(1);
}
async function join(name: string) {
  const authenticator = makeAuthenticator();
  const link = await invite(name);
  const { attempt, options } = (await post('/api/sign-in/link/passkey', { link })).body;
  const response = authenticator.register({ challenge: options.challenge, origin, rpId });
  const joined = await post('/api/sign-in/link/acceptance', { link, passkey: { attempt, response } });
  expect([joined.status, joined.body.person?.name]).toEqual([201, name]);
  return { authenticator, cookie: cookieOf(joined.headers) };
}
const begin = async () => (await post('/api/sign-in/passkey/options', {})).body;

test('a person joins and signs in with a passkey, without typing a name', async () => {
  const { authenticator, cookie } = await join('Anna');
  const { attempt, options } = await begin();
  expect(options).toMatchObject({ rpId, userVerification: 'preferred' });
  const response = authenticator.signIn({ challenge: options.challenge, origin, rpId });
  const signedIn = await post('/api/sign-in/passkey', { attempt, response });
  expect([signedIn.status, signedIn.body]).toMatchObject([
    201,
    { person: { name: 'Anna' }, workspaces: [{ slug: workspace.slug, memberName: 'Anna' }] },
  ]);
  // What was asked is asked once: the same answer opens nothing a second time.
  expect((await post('/api/sign-in/passkey', { attempt, response })).body.code).toBe('sign_in_expired');
  expect(cookieOf(signedIn.headers)).not.toBe(cookie);
});

test.each([
  ['another challenge', { challenge: 'A'.repeat(43) }],
  ['another site', { origin: 'https://parts.example.org' }],
  ['another name of the site', { rpId: 'example.com' }],
])('a passkey that answers for %s is refused, when it is made and when it is used', async (_, other) => {
  const link = await invite('Refused');
  const made = (await post('/api/sign-in/link/passkey', { link })).body;
  const response = makeAuthenticator().register({
    challenge: made.options.challenge,
    origin,
    rpId,
    ...other,
  });
  const joined = await post('/api/sign-in/link/acceptance', {
    link,
    passkey: { attempt: made.attempt, response },
  });
  expect(joined.body.code).toBe('passkey_refused');

  const { authenticator } = await join(`Right ${addresses}`);
  const { attempt, options } = await begin();
  const signed = authenticator.signIn({ challenge: options.challenge, origin, rpId, ...other });
  expect((await post('/api/sign-in/passkey', { attempt, response: signed })).body.code).toBe(
    'passkey_refused',
  );
});

test('a copied passkey, whose counter goes back, is refused, and so is one that is not known', async () => {
  const { authenticator } = await join('Copied');
  const signIn = async (by: ReturnType<typeof makeAuthenticator>) => {
    const { attempt, options } = await begin();
    return post('/api/sign-in/passkey', {
      attempt,
      response: by.signIn({ challenge: options.challenge, origin, rpId }),
    });
  };
  expect((await signIn(authenticator)).status).toBe(201);
  authenticator.rewind();
  expect((await signIn(authenticator)).body.code).toBe('passkey_refused');
  expect((await signIn(makeAuthenticator())).status).toBe(401);
});

test('a second passkey is added and the first removed, but never the last way in', async () => {
  const { cookie } = await join('Two keys');
  const own = { Cookie: cookie };
  const me = async () => (await server.request('/api/me', { headers: { ...ownPage(), ...own } })).body;
  const remove = (id: string) =>
    server.request(`/api/me/passkeys/${id}`, { method: 'DELETE', headers: { ...ownPage(), ...own } });
  const [first] = (await me()).passkeys;
  expect((await remove(first.id)).body.code).toBe('last_way_in');
  const { attempt, options } = (await post('/api/me/passkeys/options', {}, own)).body;
  // The browser offers none that the person has.
  expect(options.excludeCredentials).toHaveLength(1);
  const response = makeAuthenticator().register({ challenge: options.challenge, origin, rpId });
  const added = await post('/api/me/passkeys', { attempt, response, name: 'Phone' }, own);
  expect([added.status, added.body.passkeys.length]).toEqual([201, 2]);
  expect((await remove(first.id)).status).toBe(204);
  const [phone] = (await me()).passkeys;
  expect(phone.name).toBe('Phone');
  const rename = (id: string, name: string) =>
    server.request(`/api/me/passkeys/${id}`, {
      method: 'PATCH',
      body: { name },
      headers: { ...ownPage(), ...own },
    });
  expect((await rename(first.id, 'Gone')).status).toBe(404);
  expect((await rename(phone.id, 'New phone')).body.passkeys).toMatchObject([{ name: 'New phone' }]);
});

test('a passkey that is known already is refused, and whatever is sent beside it does no harm', async () => {
  const authenticator = makeAuthenticator();
  const accept = async (name: string, transports: unknown) => {
    const link = await invite(name);
    const { attempt, options } = (await post('/api/sign-in/link/passkey', { link })).body;
    const made = authenticator.register({ challenge: options.challenge, origin, rpId });
    const response = { ...made, response: { ...made.response, transports } };
    return post('/api/sign-in/link/acceptance', { link, passkey: { attempt, response } });
  };
  expect((await accept('First of two', { usb: true })).status).toBe(201);
  const again = await accept('Second of two', ['usb']);
  expect([again.status, again.body.code]).toEqual([again.status, 'passkey_refused']);
});

test('where passkeys cannot work, the service says why', async () => {
  const plain = await startTestServer({});
  try {
    const told = await plain.request('/api/sign-in');
    expect(told.body).toEqual({
      passkey: false,
      passkeyNote: expect.stringContaining('IP addresses'),
      provider: null,
    });
    const begun = await plain.request('/api/sign-in/passkey/options', { body: {}, headers: ownPage() });
    expect(begun.body.code).toBe('passkeys_unavailable');
  } finally {
    await plain.close();
  }
});
