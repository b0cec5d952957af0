/** The tools for actions: which there are, running one, and reading its run. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Partbook } from '../typescript/connect.ts';
import { answer, given, ITEMS_MAX, page, Reference, reads, type ToolOptions, writes } from './answer-tool.ts';

export function registerRuns(server: McpServer, partbook: Partbook, options: ToolOptions): void {
  server.registerTool(
    'list_actions',
    {
      title: 'List actions',
      description:
        'The actions that people have made for this workspace, or those that an entity offers, each with the JSON Schema of its parameters.',
      inputSchema: z.strictObject({ entity: Reference.optional(), ...page }),
      annotations: reads,
    },
    ({ entity, cursor }) => {
      const query = given({ cursor, limit: ITEMS_MAX });
      return answer(
        entity === undefined
          ? partbook('GET /actions', { query }, options)
          : partbook('GET /entities/{id}/actions', { id: entity, query }, options),
      );
    },
  );
  server.registerTool(
    'get_run',
    {
      title: 'Read a run of an automation',
      description: 'Its status, result, logs, changes and error.',
      inputSchema: z.strictObject({ run: z.uuid() }),
      annotations: reads,
    },
    ({ run }) => answer(partbook('GET /automation-runs/{id}', { id: run, query: {} }, options)),
  );
}

/** Seconds that an answer waits for the end of a run. */
const RUN_WAIT_SECONDS = 5;

export function registerActions(server: McpServer, partbook: Partbook, options: ToolOptions): void {
  server.registerTool(
    'run_action',
    {
      title: 'Run an action',
      description:
        'Runs an action of list_actions, on an entity or without one, and returns its run: result, logs, changes and error. Show a person what it will do and ask first. A run that is still queued after 5 seconds can be read by its id with get_run.',
      inputSchema: z.strictObject({
        automation: z.uuid().meta({ description: '`automationId` of the action.' }),
        entity: Reference.optional(),
        parameters: z
          .record(z.string().max(64), z.unknown())
          .optional()
          .meta({ description: 'Values by the JSON Schema in `parameters` of the action.' }),
      }),
      annotations: { ...writes, destructiveHint: true },
    },
    ({ automation, entity, parameters = {} }) =>
      answer(
        partbook(
          'POST /automations/{id}/trigger',
          {
            id: automation,
            body: { context: parameters, ...(entity === undefined ? {} : { entityId: entity }) },
          },
          options,
        ).then(({ id }) =>
          partbook('GET /automation-runs/{id}', { id, query: { wait: RUN_WAIT_SECONDS } }, options),
        ),
      ),
  );
}
