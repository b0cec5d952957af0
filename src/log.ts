/** Logging: pino, JSON lines on standard output, without keys, tokens or payloads, and without floods. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import type { Config } from './config.ts';
import { currentTraceparent, traceIdOf } from './telemetry/tracing.ts';

export interface LogOptions {
  /** Standard output where it is absent. */
  destination?: DestinationStream;
  /** How long a repeated error is counted instead of written. */
  repeatMs?: number;
}

export function openLog(
  config: Pick<Config, 'LOG_LEVEL'>,
  role: string,
  { destination, repeatMs = 60_000 }: LogOptions = {},
): Logger {
  const options: LoggerOptions = {
    level: config.LOG_LEVEL,
    base: { role, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['*.authorization', '*.apiKey', '*.key', '*.operatorToken', '*.password', '*.databaseUrl'],
    serializers: { err: withoutCommand },
    hooks: { logMethod: onceAPeriod(repeatMs) },
    mixin: fieldsHere,
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Log fields, by the chain of calls within a job. */
const fields = new AsyncLocalStorage<Readonly<Record<string, string>>>();

/** Every line that comes of the work has these ids. */
export function withLogFields<T>(ids: Readonly<Record<string, string>>, work: () => T): T {
  return fields.run(ids, work);
}

/** Log fields, by the chain of calls within a request. */
const during = new AsyncLocalStorage<() => object>();

/** A line of a fault that comes of the work says what the work was; other lines of it have its ids from those who write them. */
export function withFaultFields<T>(describe: () => object, work: () => T): T {
  return during.run(describe, work);
}

function fieldsHere(_line: object, level: number): object {
  const traceparent = currentTraceparent();
  const trace = traceparent === null ? {} : { trace_id: traceIdOf(traceparent) };
  const fault = level >= FATAL ? during.getStore()?.() : undefined;
  return { ...fields.getStore(), ...trace, ...fault };
}

const FATAL = 60;

const WARN = 40;
/** Different errors that are counted at once; further ones are written as they come. */
const COUNTED_MAX = 1000;

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/**
 * A server that is away makes every call of every loop fail alike, hundreds of times a second. The first line of
 * an error is written at once; those that follow within the period are counted, and one line at its end says how
 * many there were. Errors are alike when the message of the line and the kind and text of the error are. What
 * belongs to a request keeps a line of its own, without the stack: whoever was answered with its id looks for it here.
 */
function onceAPeriod(periodMs: number): LogMethod {
  const counted = new Map<string, { repeated: number }>();
  return function write(args, method, level) {
    const [fields, message] = args as [unknown, unknown];
    const error =
      level >= WARN && typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : null;
    if (error === null) return method.apply(this, args);
    const kind = `${level} ${String(message)} ${alike(error)}`;
    const known = counted.get(kind);
    if (known !== undefined) {
      known.repeated++;
      if (isOfRequest(fields)) method.apply(this, [withoutStack(fields, error), message] as never);
      return;
    }
    method.apply(this, args);
    if (counted.size >= COUNTED_MAX) return;
    const entry = { repeated: 0 };
    counted.set(kind, entry);
    setTimeout(() => {
      counted.delete(kind);
      if (entry.repeated === 0) return;
      const again = { ...(fields as object), repeated: entry.repeated, withinMs: periodMs };
      method.apply(this, [again, message] as unknown as Parameters<typeof method>);
    }, periodMs).unref();
  };
}

function isOfRequest(fields: unknown): fields is object & { requestId: string } {
  return (
    typeof fields === 'object' &&
    fields !== null &&
    'requestId' in fields &&
    typeof fields.requestId === 'string'
  );
}

function withoutStack(fields: object, error: unknown): object {
  return { ...fields, err: undefined, error: String(error).slice(0, ALIKE_CHARS_MAX) };
}

/** Looked at of a text, which may quote megabytes of what a caller sent: the search for ids in it is quadratic. */
const ALIKE_CHARS_MAX = 400;

/** Returns a key that equal errors share: it ignores ids, ports and times in the text. */
function alike(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 200);
  const { code } = error as { code?: unknown };
  return `${error.name} ${String(code)} ${error.message
    .slice(0, ALIKE_CHARS_MAX)
    .replaceAll(/[0-9a-f-]*\d[0-9a-f-]*/gi, '#')
    .slice(0, 200)}`;
}

/** A failed call of Redis carries its whole command: for a queue, a script of some kilobytes and the job's data. */
function withoutCommand(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { command: _, ...shown } = stdSerializers.err(error) as unknown as Record<string, unknown>;
  return shown;
}
