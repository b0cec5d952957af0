/** Persons of a workspace who follow things and change them. */
import { expect, vi } from 'vitest';
import { patience } from '../setup/patience.ts';
import type { TestAnswer, TestServer } from '../setup/server.ts';
import type { DefaultWorkspace } from '../workspaces/default-workspace.ts';

export interface Person {
  name: string;
  memberId: string;
  ask(method: string, path: string, body?: unknown): Promise<TestAnswer>;
}

const ownPage = () => ({ 'Sec-Fetch-Site': 'same-origin' });
let people = 0;

/** Invites a person, who accepts with a password. */
export async function join(
  server: TestServer,
  workspace: DefaultWorkspace,
  name: string,
  areas = ['engineering', 'procurement', 'stock'],
): Promise<Person> {
  const invited = await workspace.ask('POST', '/invitations', { name, areas });
  const link = new URL(invited.body.url).hash.slice(1);
  const answer = await server.request('/api/sign-in/link/acceptance', {
    headers: ownPage(),
    body: { link, password: { userName: `user${++people}`, password: 'correct horse battery' } },
  });
  expect(answer.status, answer.text).toBe(201);
  const cookie =
    /(__Host-)?partbook_person=[\w-]{43}/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? '';
  return {
    name,
    memberId: answer.body.workspaces[0].memberId,
    ask: (method, path, body) =>
      server.request(`/api/wid/${workspace.slug}${path}`, {
        method,
        ...(body === undefined ? {} : { body }),
        headers: { ...ownPage(), Cookie: cookie },
      }),
  };
}

export async function follow(person: Person, body: object) {
  const answer = await person.ask('POST', '/me/subscriptions', body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

export async function change(by: Person, id: string, name: string): Promise<void> {
  expect((await by.ask('PATCH', `/entities/${id}`, { name })).status).toBe(200);
}

/** Waits until the inbox has been told of all events. */
export async function allTold(workspace: DefaultWorkspace): Promise<void> {
  const waiting = () =>
    workspace.transact(async (tx) => {
      const [row] = await tx.query<{ count: number }>(
        'select count(*)::int as count from outbox where workspace_id = $1 and not inbox_done',
        [workspace.id],
      );
      return row?.count ?? 0;
    });
  await vi.waitUntil(async () => (await waiting()) === 0, patience);
}
