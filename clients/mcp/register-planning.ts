/** The tools for planning runs: reading one and its actions, starting one, and committing or dismissing actions. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Partbook } from '../typescript/connect.ts';
import { followPlanningRun } from '../typescript/follow-planning-run.ts';
import { planningActions } from '../typescript/planning-words.ts';
import { answer, given, ITEMS_MAX, page, Reference, reads, type ToolOptions, writes } from './answer-tool.ts';

const Run = z.uuid().meta({ description: '`id` of the planning run.' });
const Numbers = z
  .array(z.int().min(1))
  .min(1)
  .max(ITEMS_MAX)
  .meta({ description: '`number` of each action of planning_actions.' });

export function registerPlanning(server: McpServer, partbook: Partbook, options: ToolOptions): void {
  server.registerTool(
    'planning_runs',
    {
      title: 'Planning runs',
      description:
        'Planning runs, newest first: status, options, and how many actions of each kind and how many exceptions they found. A run says what to order, make, move and cancel so that all needs are met in time.',
      inputSchema: z.strictObject(page),
      annotations: reads,
    },
    ({ cursor }) =>
      answer(partbook('GET /planning/runs', { query: given({ cursor, limit: ITEMS_MAX }) }, options)),
  );
  server.registerTool(
    'planning_actions',
    {
      title: 'Actions of a planning run',
      description:
        'What a completed planning run proposes, in the order of the dates on which to act. `has` exception: only what is late, has no supplier or lacks something else; say these first. `partOn`: a line comes in parts, and dates and quantity are those of the part that comes on this day. `useSubstitute`: free stock of `substitute` covers the quantity, and is taken when components are reserved or issued.',
      inputSchema: z.strictObject({
        run: Run,
        action: z.enum(planningActions).optional(),
        has: z.enum(['proposal', 'exception']).optional(),
        item: Reference.optional(),
        supplierId: z.uuid().optional(),
        project: Reference.optional().meta({
          description: 'Only what serves a need of this project, directly or through what is made of it.',
        }),
        status: z.enum(['open', 'committed', 'dismissed']).optional(),
        ...page,
      }),
      annotations: reads,
    },
    ({ run: id, ...query }) =>
      answer(
        partbook(
          'GET /planning/runs/{id}/actions',
          { id, query: given({ ...query, limit: ITEMS_MAX }) },
          options,
        ),
      ),
  );
  server.registerTool(
    'planning_timeline',
    {
      title: 'Timeline of an item in a planning run',
      description:
        'Stock of an item day by day, with and without the plan, all that is needed and all that comes, and what each order line and action is for in the end (`pegs`).',
      inputSchema: z.strictObject({ run: Run, item: Reference }),
      annotations: reads,
    },
    ({ run: id, item: itemEntityId }) =>
      answer(partbook('GET /planning/runs/{id}/items/{itemEntityId}', { id, itemEntityId }, options)),
  );
  server.registerTool(
    'compare_planning_runs',
    {
      title: 'Compare two planning runs',
      description:
        'The actions that only one of two completed runs has: `added` are those of `run`, `removed` those of `with`. One with another date or quantity is both. What-if runs, too.',
      inputSchema: z.strictObject({ run: Run, with: Run, ...page }),
      annotations: reads,
    },
    ({ run: id, ...query }) =>
      answer(
        partbook(
          'GET /planning/runs/{id}/compare',
          { id, query: { with: query.with, ...given({ cursor: query.cursor, limit: ITEMS_MAX }) } },
          options,
        ),
      ),
  );
  server.registerTool(
    'promise',
    {
      title: 'By when a quantity can be promised',
      description:
        '`availableOn`: from stock and open order lines, while all other needs keep theirs. `capableOn`: with new orders for the item and its components. `planningRun`: the run on whose orders it rests where the item, or a component, is part of very many others. It reserves nothing.',
      inputSchema: z.strictObject({ item: Reference, quantity: z.number().positive() }),
      annotations: reads,
    },
    ({ item: id, quantity }) =>
      answer(partbook('GET /entities/{id}/promise', { id, query: { quantity } }, options)),
  );
}

export function registerPlanningWrites(server: McpServer, partbook: Partbook, options: ToolOptions): void {
  server.registerTool(
    'propose_plan',
    {
      title: 'Plan what to order and make',
      description:
        'Starts a planning run and waits for its end. It changes no stock and no order: planning_actions lists what it proposes. With `demand`, `revisions` or `dates` it plans as if these were so, and cannot be committed. `structure` released plans the newest released revisions. `scope` stores only actions of some items. `projects` are needed with their whole structure, whether requirements were raised for it or not.',
      inputSchema: z.strictObject({
        horizonDays: z.int().min(1).max(730).optional(),
        periodDays: z.int().min(1).max(90).optional(),
        toleranceDays: z.int().min(0).max(365).optional(),
        demand: z
          .array(
            z.strictObject({
              itemEntityId: Reference,
              quantity: z.number().positive(),
              requiredBy: z.iso.date(),
            }),
          )
          .min(1)
          .max(ITEMS_MAX)
          .optional(),
        revisions: z
          .array(z.strictObject({ itemEntityId: Reference, revision: z.int().min(1) }))
          .min(1)
          .max(ITEMS_MAX)
          .optional(),
        dates: z
          .array(z.strictObject({ id: z.uuid(), requiredBy: z.iso.date() }))
          .min(1)
          .max(ITEMS_MAX)
          .optional()
          .meta({ description: 'Order lines and requirements by `id`.' }),
        structure: z.enum(['current', 'released']).optional(),
        usesSubstitutes: z.boolean().optional(),
        projects: z
          .array(
            z.strictObject({
              projectId: Reference,
              quantity: z.number().positive().default(1),
              requiredBy: z.iso.date(),
            }),
          )
          .min(1)
          .max(ITEMS_MAX)
          .optional(),
        scope: z
          .strictObject({
            projects: z.array(Reference).min(1).max(ITEMS_MAX).optional(),
            items: z.array(Reference).min(1).max(ITEMS_MAX).optional(),
            categories: z.array(z.string()).min(1).max(ITEMS_MAX).optional(),
            locationEntityId: Reference.optional(),
          })
          .optional(),
      }),
      annotations: writes,
    },
    ({ demand, revisions, dates, scope, ...rest }) => {
      const whatIf = given({ demand, revisions, dates });
      const isWhatIf = Object.keys(whatIf).length > 0;
      return answer(
        partbook(
          'POST /planning/runs',
          {
            body: given({
              ...rest,
              scope: scope === undefined ? undefined : given(scope),
              whatIf: isWhatIf ? whatIf : undefined,
            }),
          },
          options,
        ).then((begun) => followPlanningRun(partbook, begun, options)),
      );
    },
  );
  server.registerTool(
    'commit_planned_actions',
    {
      title: 'Commit actions of a planning run',
      description:
        'Creates a purchase order for each supplier and one manufacturing order, and moves, changes and cancels lines, or the parts that `partOn` names: all or nothing. `useSubstitute` and `none` are not committed. Show a person the actions and ask first. `plan_stale`: something has changed since the run; propose_plan again.',
      inputSchema: z.strictObject({
        run: Run,
        actions: Numbers,
        location: Reference.optional().meta({
          description: 'Where items are received whose planning names no location.',
        }),
        as: z.enum(['draft', 'ordered']).default('draft'),
        note: z.string().max(2000).optional(),
      }),
      annotations: { ...writes, destructiveHint: true },
    },
    ({ run: id, location, ...rest }) =>
      answer(
        partbook(
          'POST /planning/runs/{id}/commit',
          { id, body: given({ ...rest, locationEntityId: location }) },
          options,
        ),
      ),
  );
  server.registerTool(
    'dismiss_planned_actions',
    {
      title: 'Dismiss actions of a planning run',
      description: 'Dismissed actions are not committed, in later runs too while the need is the same.',
      inputSchema: z.strictObject({ run: Run, actions: Numbers, dismissed: z.boolean().default(true) }),
      annotations: { ...writes, idempotentHint: true },
    },
    ({ run: id, ...body }) => answer(partbook('POST /planning/runs/{id}/dismiss', { id, body }, options)),
  );
}
