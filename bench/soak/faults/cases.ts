/**
 * What goes wrong, as a table: how it is done and undone, what callers see while it lasts (it lasts until they have seen
 * it), and what else they may be answered meanwhile.
 */
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kind, Outcome } from './callers.ts';
import { floodWithSockets } from './flood-sockets.ts';
import type { World } from './world.ts';

export interface FaultCase {
  name: string;
  /** Why it cannot be tried here. */
  lacks?(world: World): string | null;
  /** Resolves when it is wrong, to what puts it right again. */
  strike(world: World, share: number): Promise<() => Promise<void>>;
  /** What calls are answered while it lasts, sooner or later; of a kind that is not named, something that is right. */
  sees: Readonly<Partial<Record<Kind, Outcome>>>;
  /** What else is right meanwhile and until it is well again. `held` always is, of a call that is sent again. */
  allows: readonly Outcome[];
}

const all = (outcome: Outcome): Record<Kind, Outcome> => ({
  ready: outcome,
  read: outcome,
  adjust: outcome,
  small: outcome,
  large: outcome,
});
const nothingSeen = { sees: all('done'), allows: [] } as const;
const allAway = { sees: all('away'), allows: ['done', 'away'] } as const;
const passing = { sees: all('done'), allows: ['done', 'away'] } as const;
/** Two hours, as when somebody sets a clock that is in another zone. */
const CLOCK_STEP_SECONDS = 7200;
const REDIS_BYTES_FULL = 1;
const BALLAST_PIECE_BYTES = 4 * 1024 * 1024;

export const cases: readonly FaultCase[] = [
  {
    name: 'PostgreSQL frozen',
    ...allAway,
    strike: async ({ primary }) => {
      primary.freeze();
      return async () => primary.thaw();
    },
  },
  {
    name: 'PostgreSQL restarted',
    ...passing,
    strike: async ({ primary }) => {
      await primary.end('SIGINT');
      await primary.start();
      return async () => {};
    },
  },
  {
    name: 'PostgreSQL ended and away',
    ...allAway,
    strike: async ({ primary }) => {
      await primary.end('SIGINT');
      return () => primary.start();
    },
  },
  {
    name: 'PostgreSQL killed',
    ...allAway,
    strike: async ({ primary }) => {
      await primary.end('SIGKILL');
      return () => primary.start();
    },
  },
  {
    name: 'one process of PostgreSQL killed',
    ...passing,
    strike: async ({ primary }, share) => {
      await primary.killBackend(share);
      return async () => {};
    },
  },
  {
    name: 'PostgreSQL out of connections',
    ...allAway,
    strike: ({ primary }) => primary.useUpConnections(),
  },
  {
    name: 'PostgreSQL without room on its disk',
    lacks: ({ disk }) => (disk === null ? 'this process may not mount a small disk' : null),
    // Reads are answered until PostgreSQL has to write something that it cannot do without; then it ends.
    sees: { adjust: 'away', small: 'away', large: 'away' },
    allows: ['done', 'away'],
    strike: async (world) => {
      const makeRoom = await fillDisk(world.disk as string);
      return async () => {
        await makeRoom();
        if (!world.primary.isRunning()) await world.primary.start();
      };
    },
  },
  {
    name: 'PostgreSQL read-only',
    // With one host reads are answered; of several hosts one is looked for that takes writes, for reads too.
    sees: { ready: 'away', adjust: 'away', small: 'away', large: 'away' },
    allows: ['done', 'away'],
    strike: async ({ primary }) => {
      const set = (sql: string) =>
        primary.as(async (client) => {
          await client.query('set default_transaction_read_only = off');
          await client.query(sql);
          await client.query('select pg_reload_conf()');
        });
      await set('alter system set default_transaction_read_only = on');
      return () => set('alter system reset default_transaction_read_only');
    },
  },
  {
    name: 'primary killed, standby promoted',
    ...allAway,
    strike: async (world) => {
      const { primary, spare } = world;
      const standby = await primary.follow(spare.folder, spare.port);
      await primary.end('SIGKILL');
      return async () => {
        await standby.as((client) => client.query('select pg_promote()'));
        world.primary = standby;
        world.spare = { folder: primary.folder, port: primary.port };
        await primary.discard();
      };
    },
  },
  {
    name: 'Redis frozen',
    ...nothingSeen,
    strike: async ({ redis }) => {
      redis.freeze();
      return async () => redis.thaw();
    },
  },
  {
    name: 'Redis killed',
    ...nothingSeen,
    strike: async ({ redis }) => {
      await redis.kill();
      return () => redis.start();
    },
  },
  {
    name: 'Redis emptied',
    ...nothingSeen,
    strike: async ({ redis }) => {
      await redis.command('FLUSHALL');
      return async () => {};
    },
  },
  {
    name: 'Redis full',
    ...nothingSeen,
    strike: async ({ redis }) => {
      await redis.command('CONFIG', 'SET', 'maxmemory', REDIS_BYTES_FULL);
      return async () => void (await redis.command('CONFIG', 'SET', 'maxmemory', 0));
    },
  },
  {
    name: 'clock of PostgreSQL two hours ahead, and set back',
    lacks: ({ faketime }) => (faketime === null ? 'there is no libfaketime' : null),
    ...passing,
    strike: (world) => stepClock(world, CLOCK_STEP_SECONDS),
  },
  {
    name: 'clock of PostgreSQL two hours behind, and set right',
    lacks: ({ faketime }) => (faketime === null ? 'there is no libfaketime' : null),
    ...passing,
    strike: (world) => stepClock(world, -CLOCK_STEP_SECONDS),
  },
  {
    name: 'slow clients and a flood of sockets',
    sees: all('done'),
    // A connection that is opened while there are too many is closed at once.
    allows: ['done', 'cut'],
    strike: ({ called }) => floodWithSockets(called),
  },
];

/** What it resolves to makes room again. */
async function fillDisk(disk: string): Promise<() => Promise<void>> {
  const ballast = join(disk, 'ballast');
  const piece = Buffer.alloc(BALLAST_PIECE_BYTES);
  const file = await open(ballast, 'w');
  try {
    // To the last byte: what is left of a page is room for a small write.
    for (let bytes = piece.length; bytes > 0; ) {
      try {
        const { bytesWritten } = await file.write(piece, 0, bytes);
        if (bytesWritten < bytes) bytes = Math.floor(bytes / 2);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        bytes = Math.floor(bytes / 2);
      }
    }
  } finally {
    await file.close();
  }
  return () => rm(ballast, { force: true });
}

async function stepClock({ primary, faketime }: World, seconds: number): Promise<() => Promise<void>> {
  if (faketime === null) throw new Error('There is no libfaketime');
  const { environment, set } = faketime;
  if (!primary.startedWith(environment)) {
    await primary.end('SIGINT');
    await primary.start(environment);
  }
  const step = async (to: number) => {
    await set(to);
    await primary.untilClockIs(to);
  };
  await step(seconds);
  return () => step(0);
}
