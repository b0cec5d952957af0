/** A workspace made the way an operator makes one, with the default template, and calls into it. */
import { randomBytes } from 'node:crypto';
import { newId } from '../../src/db/ids.ts';
import { inTransaction, type Tx } from '../../src/db/transaction.ts';
import type { TestAnswer, TestServer } from '../setup/server.ts';

export interface DefaultWorkspace {
  id: string;
  slug: string;
  key: string;
  /** A call with the admin's key to a path below the workspace. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Puts entities into the table, as a sync would; returns their ids. */
  addEntities(
    count: number,
    values?: { category?: string; state?: string; properties?: object },
  ): Promise<string[]>;
}

export async function makeDefaultWorkspace(
  server: TestServer,
  slug = `w${randomBytes(5).toString('hex')}`,
): Promise<DefaultWorkspace> {
  const made = await server.request('/api/workspaces', {
    key: server.ctx.operatorToken,
    body: { slug, name: `Workspace ${slug}` },
  });
  if (made.status !== 201) throw new Error(made.text);
  const { workspace, apiKey } = made.body;
  const transact = <T>(work: (tx: Tx) => Promise<T>) =>
    inTransaction(server.ctx.db, { workspaceId: workspace.id }, work);
  return {
    id: workspace.id,
    slug,
    key: apiKey.key,
    transact,
    ask: (method, path, body, headers = {}) =>
      server.request(`/api/wid/${slug}${path}`, { method, key: apiKey.key, body, headers }),
    addEntities: async (count, { category = 'part', state = 'In Work', properties = {} } = {}) => {
      const ids = Array.from({ length: count }, newId);
      await transact((tx) =>
        tx.query(
          `insert into entity (workspace_id, id, version_id, number, name, category, state, properties, revised_by)
           select $1, id, id, 'N-' || row_number() over (), 'An entity', $3, $4, $5, $1
           from unnest($2::uuid[]) as given(id)`,
          [workspace.id, ids, category, state, JSON.stringify(properties)],
        ),
      );
      return ids;
    },
  };
}
