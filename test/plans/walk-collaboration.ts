/** The calls of comments, subscriptions and inboxes, for the plans of their statements. */
import { mailInboxes } from '../../src/collaboration/mail/mail-inboxes.ts';
import type { TestServer } from '../setup/server.ts';
import type { DefaultWorkspace } from '../workspaces/default-workspace.ts';

type Must = (
  status: number,
  method: string,
  path: string,
  body?: object,
) => Promise<{ id: string; items: { id: string; lastAt?: string }[] }>;

export async function walkCollaboration(must: Must, workspace: DefaultWorkspace): Promise<void> {
  const firstOf = async (query: string) => (await must(200, 'GET', `/entities?limit=1${query}`)).items[0]?.id;
  const entity = await firstOf('');
  const comment = await must(201, 'POST', '/comments', { entity, text: 'Checkd' });
  await must(200, 'PUT', `/comments/${comment.id}`, { text: 'Checked' });
  await must(200, 'GET', `/comments/${comment.id}/versions`);
  await must(200, 'GET', `/comments?entity=${entity}`);
  await must(200, 'GET', '/people?q=a');
  await workspace.transact((tx) =>
    tx.query(
      `insert into member (workspace_id, id, name, areas, managed) values ($1, gen_random_uuid(), 'Follower', '{read}', 'hand')`,
      [workspace.id],
    ),
  );
  await asFollower(workspace, async () => {
    for (const query of ['&category=assembly', '&category=location', '&category=part']) {
      const followed = await firstOf(query);
      if (followed !== undefined)
        await must(200, 'POST', '/me/subscriptions', { entity: followed, below: true, stock: true });
    }
    const view = { name: 'Followed', list: 'entities', filters: { where: ['Mass:gt:0'] }, shared: true };
    const { id: followedView } = await must(201, 'POST', '/views', view);
    await must(200, 'POST', '/me/subscriptions', { view: followedView });
    await must(200, 'POST', '/me/subscriptions', { importProfile: 'default' });
    const unwanted = await must(200, 'POST', '/me/subscriptions', { importProfile: 'unwanted' });
    await must(204, 'DELETE', `/me/subscriptions/${unwanted.id}`);
    await must(200, 'GET', '/me/subscriptions?limit=2');
    await must(200, 'GET', `/me/subscriptions?entity=${entity}`);
  });
  const location = await firstOf('&category=location');
  if (location === undefined) return;
  const task = await must(201, 'POST', '/stock/count-tasks', { location });
  await must(200, 'PATCH', `/stock/count-tasks/${task.id}`, { note: 'Walked' });
  await must(200, 'GET', '/stock/count-tasks');
  await must(200, 'GET', '/stock/count-tasks?status=any');
  await must(200, 'GET', `/stock/count-tasks?assignedTo=${task.id}`);
}

/** Reads the inbox when all events have been told, and puts a mail of it in line. */
export async function walkInbox(must: Must, workspace: DefaultWorkspace, server: TestServer): Promise<void> {
  await workspace.transact((tx) =>
    tx.query(
      `insert into inbox_mail (workspace_id, member_id, mode, address, confirmed, told_to, next_at)
       select $1, id, 'atOnce', 'follower@example.com', true, now() - interval '1 day', now()
       from member where workspace_id = $1 and name = 'Follower'`,
      [workspace.id],
    ),
  );
  const config = { ...server.ctx.config, SMTP_URL: 'smtp://127.0.0.1', SMTP_FROM: 'partbook@example.com' };
  await mailInboxes({ db: server.ctx.db, log: server.ctx.log, config });
  await asFollower(workspace, async () => {
    const { items } = await must(200, 'GET', '/me/inbox?limit=5');
    await must(200, 'GET', '/me/inbox?unread=true');
    await must(200, 'GET', '/me/inbox/unread');
    await must(200, 'GET', '/me/work');
    await must(200, 'GET', '/me/inbox/mail');
    await must(200, 'POST', '/me/inbox/mail', { mode: 'daily' });
    await must(200, 'POST', '/me/inbox/mail/confirmation', { code: '12345678' });
    const [line] = items;
    if (line === undefined) throw new Error('Nothing was told');
    await must(200, 'POST', '/me/inbox/read', { ids: [line.id] });
    await must(200, 'POST', '/me/inbox/read', { upTo: line.lastAt });
  });
}

/** Members are not told of what their own keys do, so the key belongs to the follower for these calls alone. */
async function asFollower(workspace: DefaultWorkspace, work: () => Promise<void>): Promise<void> {
  const give = (memberId: string) =>
    workspace.transact((tx) =>
      tx.query(`update api_key set member_id = ${memberId} where workspace_id = $1 and revoked_at is null`, [
        workspace.id,
      ]),
    );
  await give(`(select id from member where workspace_id = $1 and name = 'Follower')`);
  await work();
  await give('null');
}
