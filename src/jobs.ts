/** The table of contents of the background: every job of the catalogue and what handles it. */
import { type AutomationWorker, takeTurn } from './automation/runs/take-turn.ts';
import type { Handlers } from './queue/queues.ts';
import { advanceBatch, type SyncWorker } from './sync/batch/advance-batch.ts';
import { deliverMessages, type WebhookWorker } from './webhooks/deliver-messages.ts';
import { expandEvents } from './webhooks/expand-events.ts';

export function handlersOf(worker: SyncWorker & AutomationWorker & WebhookWorker): Handlers {
  return {
    'sync.advance': (data) => advanceBatch(worker, data),
    'sync.advanceLong': (data) => advanceBatch(worker, data, true),
    'automation.turn': (data) => takeTurn(worker, data),
    'automation.slowTurn': (data) => takeTurn(worker, data),
    'webhook.expand': (data) => expandEvents(worker, data),
    'webhook.deliver': (data) => deliverMessages(worker, data),
  };
}
