/** Two cells, each with a PostgreSQL, a Redis, a web and a worker of its own, behind one HAProxy; and the command that moves between them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { type Haproxy, startHaproxy } from '../../test/setup/haproxy.ts';
import { type System, startSystem } from '../system.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Cell {
  system: System;
  /** As the balancer knows it. */
  name: string;
  owner: Client;
}

export interface Cells {
  first: Cell;
  second: Cell;
  balancer: Haproxy;
  close(): Promise<void>;
}

export async function startCells(environment: Record<string, string>): Promise<Cells> {
  const closes: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const one of closes.reverse()) await one();
  };
  try {
    const cells: Cell[] = [];
    for (const name of ['cell-1', 'cell-2']) {
      const system = await startSystem(environment, { postgresSettings: { wal_level: 'logical' } });
      closes.push(() => system.close());
      const superuserUrl = system.superuserUrl();
      if (superuserUrl === null) throw new Error('The settings of PostgreSQL are those of the bench');
      const login = new URL(system.databaseUrl).username;
      // What an owner of a schema needs who moves workspaces, and no more.
      const superuser = new Client({ connectionString: superuserUrl });
      await superuser.connect();
      await superuser.query(`alter role ${login} replication`);
      await superuser.query(`grant pg_create_subscription to ${login}`);
      await superuser.end();
      const owner = new Client({ connectionString: system.databaseUrl });
      await owner.connect();
      closes.push(() => owner.end());
      cells.push({ system, name, owner });
    }
    const [first, second] = cells as [Cell, Cell];
    const port = ({ system }: Cell) => Number(new URL(system.baseUrl).port);
    const balancer = await startHaproxy('cells.cfg', {
      'cell1-web1': port(first),
      'cell2-web1': port(second),
    });
    closes.push(() => balancer.stop());
    return { first, second, balancer, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface Move {
  copied: number;
  pauseMs: number;
  ledger: { entries: number; positions: number; digest: string };
  /** When each step began. */
  steps: { step: string; at: number }[];
}

/** By the command, which turns the balancer. */
export async function move(slug: string, from: Cell, to: Cell, balancer: Haproxy): Promise<Move> {
  const child = spawn(process.execPath, [`${root}src/transfer/commands/workspace.command.ts`, 'move', slug], {
    env: {
      PATH: process.env.PATH,
      DATABASE_MIGRATION_URL: from.system.databaseUrl,
      MOVE_TARGET_URL: to.system.databaseUrl,
      MOVE_TURN_COMMAND: `${process.execPath} ${root}deploy/haproxy/turn-workspace.ts ${to.name}`,
      ...balancer.environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const steps: Move['steps'] = [];
  const others: string[] = [];
  let done: Omit<Move, 'steps'> | null = null;
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => {
    if (!line.startsWith('{')) others.push(line);
    else if (line.startsWith('{"step"')) steps.push({ step: JSON.parse(line).step, at: performance.now() });
    else done = JSON.parse(line);
  });
  const [code] = await once(child, 'close');
  if (code !== 0 || done === null) throw new Error(`The move ended with ${code}: ${others.join('\n')}`);
  return { ...(done as Omit<Move, 'steps'>), steps };
}
