/** Puts one run in line that somebody asked for: its row, and the event for it alone. */
import { newId } from '../../db/ids.ts';
import { databaseNow } from '../../db/time.ts';
import type { Tx } from '../../db/transaction.ts';
import { type ContextType, contextTypes, recordEvents } from '../../events/record-events.ts';
import { insertRuns } from './run.sql.ts';

export interface WantedRun {
  automationId: string;
  scriptVersion: number;
  contextType: ContextType;
  context: Record<string, unknown>;
  /** Id of the caller that triggered it. */
  triggeredBy?: string | null;
  /** The run that it repeats, with its event. */
  retry?: { of: string; eventId: string; eventIndex: number; eventAt: string; attempt: number };
}

/** Returns the run's id. Webhooks hear of a new event, not of one that is repeated. */
export async function queueRun(tx: Tx, wanted: WantedRun): Promise<string> {
  const { automationId, scriptVersion, contextType, context, triggeredBy = null, retry } = wanted;
  const id = newId();
  const outboxId = newId();
  const row = {
    workspace_id: tx.workspaceId,
    id,
    automation_id: automationId,
    script_version: scriptVersion,
    event_id: retry?.eventId ?? outboxId,
    event_index: retry?.eventIndex ?? 0,
    attempt: retry?.attempt ?? 1,
    context_type: contextTypes[contextType],
    context,
    event_at: retry?.eventAt ?? (await databaseNow(tx)),
    status: 'queued',
    depth: 0,
    retry_of: retry?.of ?? null,
    triggered_by: triggeredBy,
  };
  await tx.query(insertRuns, [JSON.stringify([row])]);
  await recordEvents(tx, contextType, [context], {
    id: outboxId,
    targetRunId: id,
    silent: retry !== undefined,
  });
  return id;
}
