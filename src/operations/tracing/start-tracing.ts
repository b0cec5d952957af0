/**
 * OpenTelemetry behind the service's own spans: sends them to what takes OTLP over HTTP. Imported only where
 * OTEL_EXPORTER_OTLP_ENDPOINT is set, because the SDK is some megabytes. What is held back is bounded, and what cannot be
 * sent is dropped: a collector that is away costs nobody anything.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import {
  installTracing,
  type OpenSpan,
  type RecordedSpan,
  type SpanStart,
  type Tracing,
} from '../../telemetry/tracing.ts';

const NOT_SENT = 'traces could not be sent';
const HELD_SPANS_MAX = 4096;
const SENT_SPANS_MAX = 512;
const SEND_EVERY_MS = 1_000;
const SEND_MS_MAX = 5_000;

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

export interface TracingService {
  /** Sends what is held back, for some seconds at most. */
  close(): Promise<void>;
}

export function startTracing(
  config: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER_ARG'>,
  role: string,
  log: Pick<Logger, 'warn'>,
): TracingService {
  const endpoint = (config.OTEL_EXPORTER_OTLP_ENDPOINT as string).replace(/\/$/, '');
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: SEND_MS_MAX });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.OTEL_SERVICE_NAME,
      'service.instance.id': `${role}-${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: saying(exporter, log),
        maxQueueSize: HELD_SPANS_MAX,
        maxExportBatchSize: SENT_SPANS_MAX,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_MS_MAX,
      }),
    ],
  });
  installTracing(tracingBy(provider));
  return {
    close: async () => {
      installTracing(null);
      await provider.shutdown().catch((error: unknown) => log.warn({ err: error }, NOT_SENT));
    },
  };
}

/** Drops what cannot be sent, and logs it once a minute like every repeated error. */
function saying(exporter: SpanExporter, log: Pick<Logger, 'warn'>): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined) log.warn({ err: result.error }, NOT_SENT);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

function tracingBy(provider: TracerProvider): Tracing {
  const tracer = provider.getTracer('partbook');
  const here = new AsyncLocalStorage<Context>();
  const parentOf = ({ traceparent }: SpanStart): Context =>
    (traceparent == null ? undefined : contextOf(traceparent)) ?? here.getStore() ?? ROOT_CONTEXT;
  return {
    open: (start) => {
      const parent = parentOf(start);
      const { name, kind = 'internal', attributes = {} } = start;
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, parent);
      return opened(span, parent, here);
    },
    current: () => {
      const span = trace.getSpan(here.getStore() ?? ROOT_CONTEXT);
      return span === undefined ? null : traceparentOf(span);
    },
    adopt: (recorded) => {
      const below = here.getStore() ?? ROOT_CONTEXT;
      const contexts: Context[] = [];
      const made: { span: Span; record: RecordedSpan }[] = [];
      for (const record of recorded) {
        const parent = record.below === null ? below : (contexts[record.below] ?? below);
        const options: SpanOptions = { startTime: record.startMs, attributes: { ...record.attributes } };
        const span = tracer.startSpan(record.name, options, parent);
        contexts.push(trace.setSpan(parent, span));
        made.push({ span, record });
      }
      for (const { span, record } of made) {
        noteFailure(span, record.failure);
        span.end(record.endMs);
      }
    },
  };
}

function opened(span: Span, parent: Context, here: AsyncLocalStorage<Context>): OpenSpan {
  const context = trace.setSpan(parent, span);
  return {
    traceparent: traceparentOf(span),
    around: (work) => here.run(context, work),
    end: ({ name, attributes, failure = null } = {}) => {
      if (name !== undefined) span.updateName(name);
      if (attributes !== undefined) span.setAttributes({ ...attributes });
      noteFailure(span, failure);
      span.end();
    },
  };
}

/** The kind of a failure, and never its text: that may quote what a caller sent. */
function noteFailure(span: Span, failure: string | null): void {
  if (failure === null) return;
  span.setAttribute('error.type', failure);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function contextOf(traceparent: string): Context | undefined {
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  const traceFlags = Number.parseInt(flags as string, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
