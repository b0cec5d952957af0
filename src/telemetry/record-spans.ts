/** Tracing in a thread: spans are kept, bounded in number, and handed to the process together with the answer. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { installTracing, type OpenSpan, type RecordedSpan, type SpanStart, type Tracing } from './tracing.ts';

/** A step has some dozens; of one that has more the first are kept. */
const SPANS_MAX = 500;

interface Recording {
  spans: RecordedSpan[];
  below: number | null;
  traceparent: string;
}

export interface SpanRecorder {
  /** Runs work whose spans are kept; they are told to `done`, whatever comes of it. */
  record<T>(traceparent: string, work: () => Promise<T>, done: (spans: RecordedSpan[]) => void): Promise<T>;
}

const nothing: OpenSpan = { traceparent: '', around: (work) => work(), end: () => {} };

/** Makes this thread record; what is not below a `record` is recorded nowhere. */
export function recordSpans(): SpanRecorder {
  const here = new AsyncLocalStorage<Recording>();
  const open = ({ name, attributes = {} }: SpanStart): OpenSpan => {
    const recording = here.getStore();
    if (recording === undefined || recording.spans.length >= SPANS_MAX) return nothing;
    const { spans, below, traceparent } = recording;
    const span: RecordedSpan = {
      name,
      startMs: now(),
      endMs: 0,
      below,
      attributes,
      failure: null,
    };
    const place = spans.push(span) - 1;
    return {
      traceparent,
      around: (work) => here.run({ spans, below: place, traceparent }, work),
      end: ({ name: last = name, attributes: more = {}, failure = null } = {}) => {
        Object.assign(span, { name: last, endMs: now(), attributes: { ...attributes, ...more }, failure });
      },
    };
  };
  const tracing: Tracing = {
    open,
    current: () => here.getStore()?.traceparent ?? null,
    adopt: () => {},
  };
  installTracing(tracing);
  return {
    record: async (traceparent, work, done) => {
      const spans: RecordedSpan[] = [];
      try {
        return await here.run({ spans, below: null, traceparent }, work);
      } finally {
        // One that is still open ends here.
        for (const span of spans) span.endMs ||= now();
        done(spans);
      }
    },
  };
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
