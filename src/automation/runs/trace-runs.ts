/**
 * A span for each run that goes on what somebody traces: below what caused its event, and above what its script asks for, so
 * that a trace leads from a batch by way of the run to the webhooks that are told of what it changed. It has ids and what became of
 * the run, and nothing of its script or its errors, which may hold what was sent.
 */
import type { Tx } from '../../db/transaction.ts';
import { type OpenSpan, openSpan } from '../../telemetry/tracing.ts';
import type { DueRun } from './plan-runs.ts';

export interface RunTrace {
  /** Traces the calls of the run that is under way. */
  around<T>(work: () => T): T;
  /** It has ended, and the next one begins. */
  end(outcome: 'succeeded' | 'failed' | 'killed'): void;
  /** A run that is under way yet was cut short, and is made again by another turn. */
  close(): void;
}

/** Runs are made one after the other, in this order. */
export function traceRuns(tx: Tx, runs: readonly DueRun[]): RunTrace {
  let at = 0;
  let span: OpenSpan | null = null;
  const begin = () => {
    const run = runs[at];
    // What belongs to no trace is none.
    span =
      run === undefined || run.row.traceparent === null
        ? null
        : openSpan({
            name: 'automation run',
            traceparent: run.row.traceparent,
            attributes: {
              'partbook.workspace.id': tx.workspaceId,
              'partbook.automation.id': run.automation.id,
              'partbook.run.id': run.id,
            },
          });
  };
  begin();
  return {
    around: (work) => (span === null ? work() : span.around(work)),
    end: (outcome) => {
      span?.end({ failure: outcome === 'succeeded' ? null : outcome });
      at += 1;
      begin();
    },
    close: () => {
      if (span !== null) span.end({ failure: 'cut short' });
      span = null;
    },
  };
}
