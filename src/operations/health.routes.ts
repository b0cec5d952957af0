/** Is the process alive, and can it do its work? For balancers, orchestrators and people. */
import { z } from 'zod';
import type { Context } from '../context.ts';
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
  waitsForNobody: true,
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
    'The database answers, statements run as the role that is bound by row-level security, the schema is current. Whether the queue server answers stands in the body and not in the status. Told within a second: a database that is slow counts as there for as long as an answer of it is waited for.',
  access: 'public',
  waitsForNobody: true,
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
    if (health.status === 'failed' && !draining.aborted) {
      // As an error, so that it is told once a minute, however often balancers ask.
      const failed = Object.keys(health.checks).filter((name) => health.checks[name]?.status === 'failed');
      log.warn({ checks: health.checks, err: failed.join(', ') }, 'not ready');
    }
    return { status: health.status === 'ok' ? 200 : 503, body: health };
  },
});

export const healthRoutes: readonly AnyRoute[] = [live, ready];

async function checkHealth({ readiness }: Context): Promise<Health> {
  const checks = await readiness.look();
  const { queue: _, ...needed } = checks;
  const failed = Object.values(needed).some((one) => one.status === 'failed');
  return { status: failed ? 'failed' : 'ok', checks };
}
