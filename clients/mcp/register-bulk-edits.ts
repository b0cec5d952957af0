/** The tools that edit all entities that a filter finds: a dry run, its application, and the way back. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Partbook } from '../typescript/connect.ts';
import { followBulkEdit } from '../typescript/follow-bulk-edit.ts';
import type { BulkEdit } from '../typescript/generated/types.ts';
import { answer, given, ITEMS_MAX, Reference, reads, type ToolOptions, writes } from './answer-tool.ts';

const Value = z.union([z.string().max(4096), z.number(), z.boolean(), z.null()]);
const Reason = z.string().trim().min(1).max(2000).optional();
const Id = z.uuid().meta({ description: '`id` of the bulk edit.' });
const changes = { ...writes, destructiveHint: true, idempotentHint: true } as const;

export function registerBulkEdits(server: McpServer, partbook: Partbook, options: ToolOptions): void {
  const told = async (begun: BulkEdit) => {
    const edit = await followBulkEdit(partbook, begun, options);
    const query = { limit: ITEMS_MAX };
    const { items } = await partbook('GET /bulk-edits/{id}/results', { id: edit.id, query }, options);
    return { ...edit, results: items, more: Math.max(0, edit.changed + edit.refused - items.length) };
  };
  server.registerTool(
    'propose_bulk_edit',
    {
      title: 'Propose one change of many parts',
      description:
        'Says what setting, clearing or replacing values, or moving to a category or state, would change in all parts that a filter finds, and writes nothing. Show the counts and differences to a person; apply_bulk_edit makes exactly these.',
      inputSchema: z.strictObject({
        text: z.string().min(1).max(255).optional(),
        category: z.array(z.string().max(255)).min(1).max(20).optional(),
        state: z.array(z.string().max(255)).min(1).max(20).optional(),
        where: z
          .array(z.string().min(1).max(1000))
          .min(1)
          .max(20)
          .optional()
          .meta({ description: 'Conditions such as Mass:lt:0.5; all must hold.' }),
        ids: z
          .array(Reference)
          .min(1)
          .max(1000)
          .optional()
          .meta({ description: 'Exactly these, in place of other filters.' }),
        set: z
          .record(z.string(), Value)
          .optional()
          .meta({ description: 'Values by property key; null removes a value.' }),
        replace: z
          .record(z.string(), z.strictObject({ find: z.string().min(1), with: z.string() }))
          .optional()
          .meta({ description: 'Text to replace within the values of properties.' }),
        toCategory: z.string().max(255).optional(),
        toState: z.string().max(255).optional(),
        reason: Reason,
      }),
      annotations: reads,
    },
    ({ text, category, state, where, ids, set, replace, toCategory, toState, reason }) =>
      answer(
        partbook(
          'POST /bulk-edits',
          {
            body: {
              filter: given({ q: text, category, state, where, ids }),
              change: given({ properties: set, replace, category: toCategory, state: toState }),
              dryRun: true,
              ...given({ reason }),
            },
          },
          options,
        ).then(told),
      ),
  );
  const followUp = (name: string, title: string, description: string, use: 'apply' | 'undo') =>
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: z.strictObject({ bulkEdit: Id, reason: Reason }),
        annotations: changes,
      },
      ({ bulkEdit: id, reason }) =>
        answer(partbook(`POST /bulk-edits/{id}/${use}`, { id, body: given({ reason }) }, options).then(told)),
    );
  followUp(
    'apply_bulk_edit',
    'Apply a proposed bulk edit',
    'Makes exactly the changes that propose_bulk_edit showed. Parts that have changed since are left alone and listed.',
    'apply',
  );
  followUp(
    'undo_bulk_edit',
    'Undo a bulk edit',
    'Takes the changes of an applied bulk edit back. Parts that have changed since are left alone and listed.',
    'undo',
  );
}
