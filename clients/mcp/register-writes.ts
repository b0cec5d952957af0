/** The tools that change something: a proposal, which writes nothing, and its application. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Partbook } from '../typescript/connect.ts';
import { syncBatch } from '../typescript/sync-batch.ts';
import { answer, given, ITEMS_MAX, Reference, type ToolOptions, writes } from './answer-tool.ts';
import { registerActions } from './register-actions.ts';
import { registerBulkEdits } from './register-bulk-edits.ts';
import { registerPlanningWrites } from './register-planning.ts';
import { registerSupply } from './register-shortages.ts';

const WAIT_MS = 60_000;
const PROPOSED_ELEMENTS_MAX = 1_000;

export function registerWrites(server: McpServer, partbook: Partbook, options: ToolOptions): void {
  registerActions(server, partbook, options);
  registerBulkEdits(server, partbook, options);
  registerPlanningWrites(server, partbook, options);
  server.registerTool(
    'propose_sync',
    {
      title: 'Propose a change',
      description:
        'Says what sending these elements would change, and writes nothing. Show the answer to a person; commit_plan applies it.',
      inputSchema: z.strictObject({
        entities: z
          .array(
            z.strictObject({
              guid: z.guid(),
              number: z.string().max(255),
              name: z.string().max(1024),
              categoryKey: z.string().max(100),
              parentGuid: z.guid().nullish(),
              quantity: z.number().positive().optional(),
              findNumber: z.string().max(64).nullish(),
              referenceDesignators: z.array(z.string().max(64)).max(2000).nullish(),
              unit: z.string().max(32).nullish(),
              note: z.string().max(1024).nullish(),
              properties: z.record(z.string(), z.string()).optional(),
            }),
          )
          .min(1)
          .max(PROPOSED_ELEMENTS_MAX),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ entities }) => answer(propose(partbook, entities, options)),
  );
  server.registerTool(
    'commit_plan',
    {
      title: 'Apply a proposed change',
      description:
        'Applies a plan of propose_sync exactly as it was shown. Refused with plan_stale when anything it rests on has changed since.',
      inputSchema: z.strictObject({ batch: z.uuid().meta({ description: '`batchId` of the plan.' }) }),
      annotations: { ...writes, destructiveHint: true, idempotentHint: true },
    },
    ({ batch }) => answer(commit(partbook, batch, options)),
  );
  server.registerTool(
    'replace_part',
    {
      title: 'Replace a part in assemblies',
      description:
        'Uses another part instead of one in the assemblies that use it, with the same quantities and designators; released assemblies get a new revision. Without apply it only says what would change and writes nothing: show that to a person, then call it again with apply.',
      inputSchema: z.strictObject({
        part: Reference,
        by: Reference,
        parents: z
          .array(Reference)
          .min(1)
          .max(ITEMS_MAX)
          .optional()
          .meta({ description: 'Only in these assemblies; by default in all.' }),
        reason: z.string().trim().min(1).max(2000),
        apply: z.boolean().default(false),
      }),
      annotations: { ...writes, destructiveHint: true },
    },
    ({ part, by, parents, reason, apply }) =>
      answer(
        partbook(
          'POST /entities/{id}/replace',
          {
            id: part,
            body: { by, reason, dryRun: !apply, ...(parents === undefined ? {} : { parents }) },
          },
          options,
        ),
      ),
  );
  server.registerTool(
    'merge_part',
    {
      title: 'Merge a part that exists twice',
      description:
        'Moves what uses a part, its stock, open lines and requirements to another part that is the same; its GUID and number lead to that one from then on. It cannot be undone. Without apply it only says what would change, with all reasons against it, and writes nothing: show that to a person, then call it again with apply.',
      inputSchema: z.strictObject({
        into: Reference,
        from: Reference,
        reason: z.string().trim().min(1).max(2000).optional(),
        apply: z.boolean().default(false),
      }),
      annotations: { ...writes, destructiveHint: true },
    },
    ({ into, from, reason, apply }) =>
      answer(
        partbook(
          'POST /entities/{id}/merge',
          { id: into, body: { from, dryRun: !apply, ...(reason === undefined ? {} : { reason }) } },
          options,
        ),
      ),
  );
  server.registerTool(
    'archive_part',
    {
      title: 'Archive a part',
      description:
        'Leaves a part that nobody uses any more out of lists and pickers. Nothing is deleted. Refused with the reasons while it has stock, open lines or requirements, or is used by an assembly that is not released. With unarchive it is taken back.',
      inputSchema: z.strictObject({ part: Reference, unarchive: z.boolean().default(false) }),
      annotations: { ...writes, idempotentHint: true },
    },
    ({ part, unarchive }) =>
      answer(
        unarchive
          ? partbook('POST /entities/{id}/unarchive', { id: part }, options)
          : partbook('POST /entities/{id}/archive', { id: part }, options),
      ),
  );
  server.registerTool(
    'move_stock',
    {
      title: 'Move stock between locations',
      description:
        'Moves available stock from one location to another: all lines or none. Without apply it only says what would change and writes nothing: show that to a person, then call it again with apply.',
      inputSchema: z.strictObject({
        lines: z
          .array(
            z.strictObject({
              itemEntityId: Reference,
              fromLocationEntityId: Reference,
              toLocationEntityId: Reference,
              quantity: z.number().positive(),
            }),
          )
          .min(1)
          .max(ITEMS_MAX),
        note: z.string().max(2000).optional(),
        apply: z.boolean().default(false),
      }),
      annotations: { ...writes, destructiveHint: true },
    },
    ({ lines, note, apply }) =>
      answer(
        partbook(
          'POST /stock/transfers',
          { body: { lines, dryRun: !apply, ...(note === undefined ? {} : { note }) } },
          options,
        ),
      ),
  );
  server.registerTool(
    'correct_entry',
    {
      title: 'Take back a ledger entry',
      description:
        'Takes back a receipt, shipment, issue, transfer, adjustment or return, in full or in part, by a new entry; lines, orders and requirements follow. Show the entry to a person first, with its `reversedQty`, and say what is taken back.',
      inputSchema: z.strictObject({
        entry: z.uuid().meta({ description: '`id` of the ledger entry.' }),
        quantity: z
          .number()
          .positive()
          .optional()
          .meta({ description: 'How much; by default all that is left.' }),
        note: z.string().trim().min(1).max(2000).meta({ description: 'Why, for the ledger.' }),
      }),
      annotations: { ...writes, destructiveHint: true },
    },
    ({ entry, quantity, note }) =>
      answer(
        partbook(
          'POST /stock/ledger/{entryId}/reversals',
          { entryId: entry, body: { note, ...(quantity === undefined ? {} : { quantity }) } },
          options,
        ),
      ),
  );
  registerSupply(server, partbook, options);
}

async function propose(
  partbook: Partbook,
  entities: readonly {
    guid: string;
    number: string;
    name: string;
    categoryKey: string;
    parentGuid?: string | null | undefined;
  }[],
  { signal }: ToolOptions,
) {
  const elements = entities.map((entity) => given(entity));
  const batch = await syncBatch(partbook, elements, {
    dryRun: true,
    profile: 'agent',
    ...(signal && { signal }),
  });
  const waiting = AbortSignal.any([AbortSignal.timeout(WAIT_MS), ...(signal === undefined ? [] : [signal])]);
  const { results = [], ...envelope } = await batch.wait({ signal: waiting });
  const changing = results.filter(
    (one) => one.result !== 'skipped' || (one.links ?? []).some(({ from, to }) => from !== to),
  );
  return {
    ...envelope,
    results: changing.slice(0, ITEMS_MAX),
    more: Math.max(0, changing.length - ITEMS_MAX),
  };
}

async function commit(partbook: Partbook, id: string, options: ToolOptions) {
  const made = await partbook(
    'POST /pdm/sync/batches/{id}/commit',
    { id },
    // The same plan applied again is the same change: an agent that lost the answer asks once more.
    { ...options, idempotencyKey: `agent-commit-${id}`, headers: { Prefer: 'wait=30' } },
  );
  const { results: _, ...envelope } = made;
  return envelope;
}
