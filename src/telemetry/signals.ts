/**
 * Signals about the service's own work for metrics. A signal without listeners costs one property look-up, and
 * capabilities do not know the metrics. They use Node's diagnostics channels, which belong to a process, as metrics
 * do.
 */
import { channel } from 'node:diagnostics_channel';

export interface Signal<Message> {
  /** The message is made only where somebody listens. */
  send(message: () => Message): void;
  /** Returns what ends it. A listener must not throw. */
  listen(hear: (message: Message) => void): () => void;
}

function signal<Message>(name: string): Signal<Message> {
  const line = channel(`partbook:${name}`);
  return {
    send: (message) => {
      if (line.hasSubscribers) line.publish(message());
    },
    listen: (hear) => {
      const heard = (message: unknown) => hear(message as Message);
      line.subscribe(heard);
      return () => void line.unsubscribe(heard);
    },
  };
}

/** A call has been answered, or its caller has gone. The route is a pattern, and one of a bounded number. */
export const callEnded = signal<{ method: string; route: string; status: number; seconds: number }>('call');
/** A batch has ended. */
export const batchStatuses = ['completed', 'failed', 'cancelled'] as const;
export const batchEnded = signal<{ status: (typeof batchStatuses)[number] }>('batch');
/** A thread has taken a step of a batch, or found none to take. */
export const stepNames = ['plan', 'structure', 'write', 'link', 'whole'] as const;
export const stepEnded = signal<{ pass: (typeof stepNames)[number]; seconds: number; isFailed: boolean }>(
  'step',
);
/** A ledger was checked from end to end, or every ledger that was due. */
export const ledgerVerified = signal<{ isSound: boolean }>('ledger.verified');
/** The ledger holds entries that are dated so far ahead of the database's clock. */
export const ledgerAhead = signal<{ seconds: number }>('ledger.ahead');
/** Entries of the ledger have been handed to the transaction that writes them. */
export const ledgerWritten = signal<{ entries: number }>('ledger');
/** A run of a script has ended. `killed`: its thread had to be ended, or a limit ended it. */
export const scriptOutcomes = ['succeeded', 'failed', 'killed'] as const;
export const scriptEnded = signal<{ outcome: (typeof scriptOutcomes)[number]; seconds: number }>('script');
/** A delivery to a webhook was tried. */
export const deliveryOutcomes = ['delivered', 'failed'] as const;
export const deliveryTried = signal<{ outcome: (typeof deliveryOutcomes)[number]; seconds: number }>(
  'delivery',
);
/** A mail of an automation was tried. */
export const mailOutcomes = ['sent', 'failed'] as const;
export const mailTried = signal<{ outcome: (typeof mailOutcomes)[number] }>('mail');
/** A job could not be announced; healing does it. */
export const announceFailed = signal<{ queue: string }>('announce');
/** Statements that went out together came back with an error; the class is the first two of its SQLSTATE. */
export const burstFailed = signal<{ sqlStateClass: string }>('burst');
/** PostgreSQL refused to write for want of room on its disk. */
export const roomMissed = signal<Record<string, never>>('room');
/** PostgreSQL said nothing for so long that its connection was given up. */
export const answerMissed = signal<Record<string, never>>('answer');
/** Signals that a caller who accepts stale data has been answered, or is about to be. */
export const staleAnswerers = ['standby', 'primary'] as const;
export const staleAsked = signal<{ answered: (typeof staleAnswerers)[number] }>('stale');
