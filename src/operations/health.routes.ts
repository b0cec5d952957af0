/** Is the process alive, and can it do its work? For balancers, orchestrators and people. */
import { z } from 'zod';
import type { Context } from '../context.ts';
import { checkRoleInForce } from '../db/check-login.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';

const Check = z.object({
  status: z.enum(['ok', 'failed']),
  ms: z.number(),
  message: z
    .string()
    .optional()
    .meta({ description: 'What failed, without particulars of the installation.' }),
});
const Health = z
  .object({
    status: z.enum(['ok', 'failed']),
    checks: z
      .record(z.string(), Check)
      .meta({ description: '`database`, `role`, `migrations` and `queue`.' }),
  })
  .meta({ id: 'Health' });
type Health = z.output<typeof Health>;

const live = defineRoute({
  method: 'get',
  path: '/health/live',
  operationId: 'getLiveness',
  tag: 'Operations',
  summary: 'Whether the process answers',
  access: 'public',
  transaction: 'none',
  answers: { 200: { description: 'It does.', schema: Health } },
  handle: async () => ({ status: 200, body: { status: 'ok', checks: {} } }),
});

const ready = defineRoute({
  method: 'get',
  path: '/health/ready',
  operationId: 'getReadiness',
  tag: 'Operations',
  summary: 'Whether the process can do its work',
  description:
    'The database answers, statements run as the role that is bound by row-level security, the schema is current, the queue server answers.',
  access: 'public',
  transaction: 'none',
  answers: {
    200: { description: 'It can.', schema: Health },
    503: { description: 'It cannot; `checks` says which part fails.', schema: Health },
  },
  handle: async ({ ctx, log, draining }) => {
    const health = await checkHealth(ctx);
    if (draining.aborted) {
      health.status = 'failed';
      health.checks.process = { status: 'failed', ms: 0, message: 'is stopping' };
    }
    if (health.status === 'failed' && !draining.aborted) log.warn({ checks: health.checks }, 'not ready');
    return { status: health.status === 'ok' ? 200 : 503, body: health };
  },
});

export const healthRoutes: readonly AnyRoute[] = [live, ready];

const CHECK_MS_MAX = 2_000;

async function checkHealth(ctx: Context): Promise<Health> {
  const checks = {
    database: await check('does not answer, or takes no writes', () => requireWritable(ctx)),
    role: await check('is not the one that row-level security is made for', () => checkRoleInForce(ctx.db)),
    migrations: await check('are pending', () => ctx.schemaCheck.require()),
    queue: await check('does not answer', () =>
      Promise.all(Object.values(ctx.queues.byName).map((q) => q.getJobCounts('waiting'))),
    ),
  };
  const { queue: _, ...needed } = checks;
  const failed = Object.values(needed).some((one) => one.status === 'failed');
  return { status: failed ? 'failed' : 'ok', checks };
}

async function check(complaint: string, work: () => Promise<unknown>): Promise<z.output<typeof Check>> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_MS_MAX);
  });
  try {
    await Promise.race([work(), patience]);
    return { status: 'ok', ms: elapsed() };
  } catch {
    return { status: 'failed', ms: elapsed(), message: complaint };
  } finally {
    clearTimeout(timer);
  }
}

/** A standby, and a primary that has become one, answers and takes nothing. */
async function requireWritable(ctx: Context): Promise<void> {
  const [row] = await ctx.db.query<{ read_only: string }>(
    `select current_setting('transaction_read_only') as read_only`,
  );
  if (row?.read_only !== 'off') throw new Error('read-only');
}
