/** The table of contents of the background: every job of the catalogue and what handles it. */
import { type AutomationWorker, takeTurn } from './automation/runs/take-turn.ts';
import { tellMembers } from './collaboration/inbox/tell-members.ts';
import type { Handlers } from './queue/queues.ts';
import { advanceBatch, type SyncWorker } from './sync/batch/advance-batch.ts';
import { deliverMessages, type WebhookWorker } from './webhooks/deliver-messages.ts';
import { expandEvents } from './webhooks/expand-events.ts';

export function handlersOf(worker: SyncWorker & AutomationWorker & WebhookWorker): Handlers {
  /** Tells that a workspace is active here, as calls do in a web process. */
  const told =
    <Data extends { workspaceId: string }>(handle: (data: Data) => Promise<void>) =>
    (data: Data) => {
      worker.costs.called(data.workspaceId);
      return handle(data);
    };
  return {
    // Who has a batch in hand is no light caller for it; where the web is of this process, it has called there.
    'sync.advance': (data) => advanceBatch(worker, data),
    'sync.advanceLong': (data) => advanceBatch(worker, data, true),
    'automation.turn': told((data) => takeTurn(worker, data)),
    'automation.slowTurn': told((data) => takeTurn(worker, data)),
    'webhook.expand': told((data) => expandEvents(worker, data)),
    'inbox.tell': told((data) => tellMembers(worker, data)),
    'webhook.deliver': told((data) => deliverMessages(worker, data)),
  };
}
