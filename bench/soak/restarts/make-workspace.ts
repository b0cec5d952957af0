/** A workspace with an item and a place to keep it, made by calls. */
import { randomBytes } from 'node:crypto';
import type { Workspace } from './keep-calling.ts';

export async function makeWorkspace(
  url: string,
  operatorToken: string,
): Promise<Workspace & { itemId: string; locationId: string }> {
  const slug = `w${randomBytes(5).toString('hex')}`;
  const post = async (target: string, key: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${url}${target}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${target}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const made = (await post('/api/workspaces', operatorToken, { slug, name: slug })) as {
    apiKey: { key: string };
  };
  const { key } = made.apiKey;
  const path = `/api/wid/${slug}`;
  const entity = async (category: string): Promise<string> => {
    const { id } = (await post(`${path}/entities`, key, { category, name: category })) as { id: string };
    return id;
  };
  return { path, key, itemId: await entity('part'), locationId: await entity('location') };
}
