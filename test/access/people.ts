// Persons who join a workspace by an invitation and call it, for tests.
import { expect } from 'vitest';
import type { TestServer, TestWorkspace } from '../setup/server.ts';

export const PASSWORD = 'correct horse battery';

export interface Person {
  cookie: string;
  userName: string;
  memberId: string;
}

let addresses = 0;
/** A page of our own, at an address of its own: no test uses up the attempts of another. */
export const ownPage = () => ({
  'Sec-Fetch-Site': 'same-origin',
  'X-Forwarded-For': `203.0.113.${++addresses}`,
});

let people = 0;

/** `secrets` collects what no log may hold. */
export function peopleOf(
  server: () => TestServer,
  workspace: () => Pick<TestWorkspace, 'slug' | 'key'>,
  secrets: string[] = [],
) {
  type Place = Pick<TestWorkspace, 'slug' | 'key'>;
  const pathOf = ({ slug }: Place) => `/api/wid/${slug}`;
  const send = (path: string, body: object | undefined, method: string | undefined, extra: object) =>
    server().request(path, {
      ...(body === undefined ? {} : { body }),
      ...(method === undefined ? {} : { method }),
      ...extra,
    });
  const invite = (name: string, areas: string[], of: Place = workspace(), extra = {}) =>
    send(`${pathOf(of)}/invitations`, { name, areas, ...extra }, undefined, { key: of.key });
  const linkOf = (url: string) => {
    const link = new URL(url).hash.slice(1);
    secrets.push(link);
    return link;
  };
  const accept = (body: object, headers: Record<string, string> = {}) =>
    send('/api/sign-in/link/acceptance', body, undefined, { headers: { ...ownPage(), ...headers } });
  const cookieOf = (headers: Headers) => {
    const cookie = /(__Host-)?partbook_person=[\w-]{43}/.exec(headers.get('set-cookie') ?? '')?.[0] ?? '';
    secrets.push(cookie.split('=')[1] ?? cookie);
    return cookie;
  };
  async function join(name: string, areas: string[], of: Place = workspace()): Promise<Person> {
    const userName = `user${++people}`;
    const made = await invite(name, areas, of);
    expect(made.status).toBe(201);
    const answer = await accept({ link: linkOf(made.body.url), password: { userName, password: PASSWORD } });
    expect([name, answer.status]).toEqual([name, 201]);
    const { memberId } = answer.body.workspaces.find((one: { slug: string }) => one.slug === of.slug);
    return { cookie: cookieOf(answer.headers), userName, memberId };
  }
  const as = (
    { cookie }: Pick<Person, 'cookie'>,
    path: string,
    body?: object,
    method?: string,
    of: Place = workspace(),
  ) => send(`${pathOf(of)}${path}`, body, method, { headers: { ...ownPage(), Cookie: cookie } });
  const byKey = (key: string, path: string, body?: object, method?: string) =>
    send(`${pathOf(workspace())}${path}`, body, method, { key });
  const byAdmin = (path: string, body?: object, method?: string) =>
    byKey(workspace().key, path, body, method);
  return { invite, linkOf, accept, cookieOf, join, as, byKey, byAdmin };
}
