/**
 * Two webs behind a balancer and two workers, asked to end and started anew one after the other while clients call. No
 * call may fail, no process may have to be cut off, and what was acknowledged must be there.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { startBalancer } from './balancer.ts';
import { type Member, startMember } from './fleet.ts';
import { type Calls, keepCalling } from './keep-calling.ts';
import { makeWorkspace } from './make-workspace.ts';

export interface Restarts {
  /** What every process gets. */
  environment: Record<string, string>;
  /** So many processes are restarted, webs and workers in turn. */
  restarts: number;
  clients: number;
  /** For the end of a batch. */
  deadlineMs: number;
}

export interface Outcome extends Calls {
  /** Exit codes that are not 0. */
  exits: (number | null)[];
  /** What the service says there is. */
  onHand: string;
  /** Batches that are not completed with both of their parts. */
  lost: string[];
}

export async function restartInTurn(options: Restarts): Promise<Outcome> {
  const { environment, restarts, clients, deadlineMs } = options;
  const balancer = await startBalancer();
  const members: Member[] = [];
  const join = async (role: Member['role']): Promise<void> => {
    const member = await startMember(role, environment);
    members.push(member);
    if (role !== 'web') return;
    balancer.add(member.port);
    await balancer.untilReady(member.port);
  };
  try {
    for (const role of ['web', 'web', 'worker', 'worker'] as const) await join(role);
    const { itemId, locationId, ...workspace } = await makeWorkspace(
      balancer.url,
      environment.OPERATOR_TOKEN as string,
    );
    const calling = keepCalling(balancer.url, workspace, { itemId, locationId, clients });
    const exits: (number | null)[] = [];
    for (let at = 0; at < restarts; at++) {
      const role = at % 2 === 0 ? 'web' : 'worker';
      const oldest = members.findIndex((member) => member.role === role);
      const [member] = members.splice(oldest, 1) as [Member];
      const code = await member.end();
      if (code !== 0) exits.push(code);
      if (role === 'web') balancer.remove(member.port);
      await join(role);
    }
    const calls = await calling.stop();
    const read = async (target: string): Promise<unknown> => {
      const answer = await fetch(`${balancer.url}${workspace.path}${target}`, {
        headers: { Authorization: `Bearer ${workspace.key}` },
      });
      if (!answer.ok) throw new Error(`${target}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    const lost = await lostOf(calls.batches, deadlineMs, read);
    const stock = (await read(`/stock/positions/by-item/${itemId}`)) as { items: { onHand: unknown }[] };
    return { ...calls, exits, lost, onHand: String(stock.items[0]?.onHand ?? 0) };
  } finally {
    await balancer.close();
    for (const member of members) member.kill();
  }
}

/** Batches that have not ended well at the deadline. */
async function lostOf(
  batches: readonly string[],
  deadlineMs: number,
  read: (target: string) => Promise<unknown>,
): Promise<string[]> {
  const deadline = performance.now() + deadlineMs;
  const lost: string[] = [];
  for (const id of batches) {
    for (;;) {
      const batch = (await read(`/pdm/sync/batches/${id}`)) as {
        status: string;
        counts: { created: number };
      };
      if (batch.status === 'completed' && batch.counts.created === 2) break;
      if (batch.status === 'failed' || performance.now() > deadline) {
        lost.push(`${id}: ${JSON.stringify(batch)}`);
        break;
      }
      await delay(50);
    }
  }
  return lost;
}
