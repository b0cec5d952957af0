/** Is the process alive, and can it do its work? For balancers, orchestrators and people. */
import { z } from 'zod';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import type { Readiness } from './readiness.ts';

const Check = z.object({
  status: z.enum(['ok', 'failed']),
  ms: z.number(),
  message: z.string().optional().meta({ description: 'The failure, without details of the installation.' }),
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
  summary: 'Check whether the process responds',
  access: 'public',
  waitsForNobody: true,
  transaction: 'none',
  answers: { 200: { description: 'It responds.', schema: Health } },
  handle: async () => ({ status: 200, body: { status: 'ok', checks: {} } }),
});

const ready = defineRoute({
  method: 'get',
  path: '/health/ready',
  operationId: 'getReadiness',
  tag: 'Operations',
  summary: 'Check whether the process can do its work',
  description:
    'The database answers, statements run under row-level security, and the schema is current. The state of the queue server is in the body but does not affect the status. Responds within a second: a slow database counts as available while an answer is awaited.',
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

async function checkHealth({ readiness }: { readiness: Readiness }): Promise<Health> {
  const checks = await readiness.look();
  const { queue: _, ...needed } = checks;
  const failed = Object.values(needed).some((one) => one.status === 'failed');
  return { status: failed ? 'failed' : 'ok', checks };
}
