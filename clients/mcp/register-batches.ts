/** Tools that read imports: their list and the results of one. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Partbook } from '../typescript/connect.ts';
import { answer, given, ITEMS_MAX, page, reads, type ToolOptions } from './answer-tool.ts';

export function registerBatches(server: McpServer, partbook: Partbook, options: ToolOptions): void {
  const limit = ITEMS_MAX;
  server.registerTool(
    'list_batches',
    {
      title: 'List imports',
      description: 'Batches of synchronisation, newest first, with their counts.',
      inputSchema: z.strictObject({ ...page }),
      annotations: reads,
    },
    ({ cursor }) => answer(partbook('GET /pdm/sync/batches', { query: given({ cursor, limit }) }, options)),
  );
  server.registerTool(
    'batch_results',
    {
      title: 'Results of an import',
      description: 'What became of each element of a batch; errors only, where `result` says so.',
      inputSchema: z.strictObject({
        batch: z.uuid(),
        result: z.enum(['created', 'updated', 'skipped', 'error']).optional(),
        ...page,
      }),
      annotations: reads,
    },
    ({ batch, result, cursor }) =>
      answer(
        partbook(
          'GET /pdm/sync/batches/{id}/results',
          { id: batch, query: given({ result, cursor, limit }) },
          options,
        ),
      ),
  );
}
