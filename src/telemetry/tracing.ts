/**
 * Spans as the service makes them. Nothing traces until `installTracing` says who does: without an exporter every call
 * here is a look at a variable. Capabilities know no library; OpenTelemetry is behind `src/operations/tracing`, and a
 * thread of batches records its spans for the process that gave it the work.
 */

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  name: string;
  kind?: SpanKind;
  /** W3C trace context of the parent; absent: the span that is open around it. */
  traceparent?: string | null;
  attributes?: Attributes;
}

export interface OpenSpan {
  /** Trace context for work that continues the span. */
  readonly traceparent: string;
  /** Spans that `work` makes, and what it awaits makes, lie below this one. */
  around<T>(work: () => T): T;
  end(outcome?: { name?: string; attributes?: Attributes; failure?: string | null }): void;
}

/** A span that a thread has made; times in milliseconds since 1970, `below` is a place in the same list. */
export interface RecordedSpan {
  name: string;
  startMs: number;
  endMs: number;
  below: number | null;
  attributes: Attributes;
  failure: string | null;
}

export interface Tracing {
  open(start: SpanStart): OpenSpan;
  /** Returns the context of the span that is open here; null outside of any. */
  current(): string | null;
  /** Makes spans of what a thread has recorded, below the span that is open here. */
  adopt(recorded: readonly RecordedSpan[]): void;
}

let installed: Tracing | null = null;

export function installTracing(tracing: Tracing | null): void {
  installed = tracing;
}

/** Returns null if tracing is off. */
export function openSpan(start: SpanStart): OpenSpan | null {
  return installed === null ? null : installed.open(start);
}

/** Runs work in a span; a rejection is the span's failure, with only the name of its error. */
export async function inSpan<T>(start: () => SpanStart, work: () => Promise<T>): Promise<T> {
  if (installed === null) return work();
  const span = installed.open(start());
  try {
    const value = await span.around(work);
    span.end();
    return value;
  } catch (error) {
    span.end({ failure: error instanceof Error ? error.name : 'Error' });
    throw error;
  }
}

/** Returns the trace context of the current work; null if tracing is off. */
export function currentTraceparent(): string | null {
  return installed === null ? null : installed.current();
}

export function adoptSpans(recorded: readonly RecordedSpan[]): void {
  if (recorded.length > 0) installed?.adopt(recorded);
}

/** Returns the trace id of a traceparent, for log lines. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
