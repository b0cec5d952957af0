/** Traces in a thread: keeps spans, bounded in number, and hands them to the process together with the answer. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { installTracing, type OpenSpan, type RecordedSpan, type SpanStart, type Tracing } from './tracing.ts';

/** A step has some dozens; of one that has more the first are kept. */
const SPANS_MAX = 500;

interface Recording {
  spans: RecordedSpan[];
  below: number | null;
  traceparent: string;
}

const nothing: OpenSpan = { traceparent: '', around: (work) => work(), end: () => {} };
/** Runs work and returns its answer with the spans below it; there are none without a trace. The work does not throw. */
export type WithSpans = <T>(
  traceparent: string | null | undefined,
  work: () => Promise<T>,
) => Promise<{ answer: T; spans: RecordedSpan[] }>;

/** Opens a recorder, once per thread: it records what is below its calls, and nothing else. */
export function spanRecorder(): WithSpans {
  const here = new AsyncLocalStorage<Recording>();
  let isInstalled = false;
  return async (traceparent, work) => {
    const spans: RecordedSpan[] = [];
    if (traceparent == null) return { answer: await work(), spans };
    if (!isInstalled) installTracing(tracingIn(here));
    isInstalled = true;
    const answer = await here.run({ spans, below: null, traceparent }, work);
    // A span that is still open ends here.
    for (const span of spans) span.endMs ||= now();
    return { answer, spans };
  };
}

function tracingIn(here: AsyncLocalStorage<Recording>): Tracing {
  return {
    open: ({ name, attributes = {} }: SpanStart): OpenSpan => {
      const current = here.getStore();
      if (current === undefined || current.spans.length >= SPANS_MAX) return nothing;
      const { spans, below, traceparent } = current;
      const span: RecordedSpan = { name, startMs: now(), endMs: 0, below, attributes, failure: null };
      const place = spans.push(span) - 1;
      return {
        traceparent,
        around: (work) => here.run({ spans, below: place, traceparent }, work),
        end: ({ name: last = name, attributes: more = {}, failure = null } = {}) => {
          Object.assign(span, { name: last, endMs: now(), attributes: { ...attributes, ...more }, failure });
        },
      };
    },
    current: () => here.getStore()?.traceparent ?? null,
    adopt: () => {},
  };
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
