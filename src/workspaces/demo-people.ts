/** The persons of the demo: they work in it, so that ledger, history and audit show who did something. Nobody knows their passwords. */
import { createHmac } from 'node:crypto';
import type { CreatedInvitation, Member } from '../access/members/member.schema.ts';
import type { Area } from '../areas.ts';
import type { Demo } from './ensure-demo.ts';

export interface DemoPerson {
  name: string;
  areas: readonly Area[];
}

export const anna: DemoPerson = {
  name: 'Anna Berg',
  areas: ['read', 'stock', 'procurement', 'engineering', 'configuration', 'admin'],
};
export const jonas: DemoPerson = { name: 'Jonas Weber', areas: ['read', 'stock'] };
export const mira: DemoPerson = { name: 'Mira Costa', areas: ['read', 'procurement'] };

/** Calls as the key of the demo. */
interface KeyCalls {
  get(path: string): Promise<unknown>;
  post(name: string, path: string, body: object): Promise<unknown>;
}

/** Signs a person in, who becomes a member first unless it is one. Returns the headers of its calls. */
export async function enterDemo(
  address: string,
  { slug, key }: Demo,
  { get, post }: KeyCalls,
  { name, areas }: DemoPerson,
): Promise<Record<string, string>> {
  // The same at each start that goes on with a demo that was cut off.
  const password = createHmac('sha256', key).update(name).digest('base64url');
  const userName = `${name.toLowerCase().replace(' ', '.')}@${slug}`;
  const own = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' };
  const send = async (path: string, body: object) => {
    const answer = await fetch(`${address}/api/sign-in/${path}`, {
      method: 'POST',
      headers: own,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${name} could not sign in: ${answer.status} ${await answer.text()}`);
    const cookie = answer.headers.getSetCookie().find((one) => one.includes('partbook_person='));
    return { ...own, Cookie: cookie?.split(';')[0] ?? '' };
  };
  const members = (await get('/members?limit=100')) as { items: Pick<Member, 'name'>[] };
  if (members.items.some((member) => member.name === name)) return send('password', { userName, password });
  const { url } = (await post(`invite ${name}`, '/invitations', { name, areas })) as CreatedInvitation;
  return send('link/acceptance', { link: new URL(url).hash.slice(1), password: { userName, password } });
}
