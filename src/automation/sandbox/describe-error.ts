/** Describes the error of a run for its author. Everything from the guest is text and is checked. */
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten';
import type { Guest } from './guest-image.ts';
import {
  type Position,
  positionOfStack,
  SCRIPT_FILE,
  scriptPosition,
  scriptStack,
  snippetAt,
} from './locate-error.ts';
import type { RunMeter, Stop } from './run-meter.ts';
import type { ScriptError } from './script-result.ts';

/** The description of a thrown value by `describe` of the prelude. */
export interface ThrownValue {
  /** Its `typeof`. */
  thrown: string;
  /** Made by a refused api call. */
  api: boolean;
  isError: boolean;
  name: string | undefined;
  message: string | undefined;
  code: string | undefined;
  stack: string | undefined;
  fileName: string | undefined;
  lineNumber: number | undefined;
  columnNumber: number | undefined;
  /** The cause of an error and the causes of that, outermost first. */
  causes: { shown: string; stack: string }[];
}

const NAME_CHARS_MAX = 100;

/** Returns null if the value cannot be described: its getters loop, or no memory is left. */
export function describeThrown(
  context: QuickJSContext,
  guest: Guest,
  meter: RunMeter,
  reason: QuickJSHandle,
): ThrownValue | null {
  const described = meter.withGrace(() => context.callFunction(guest.describe, context.undefined, reason));
  if (described.error !== undefined) {
    described.error.dispose();
    return null;
  }
  const json = described.value.consume((value) =>
    context.typeof(value) === 'string' ? context.getString(value) : '',
  );
  try {
    return readThrown(JSON.parse(json));
  } catch {
    return null;
  }
}

/** The script's own error, uncaught. */
export function errorOfThrown(
  source: string,
  thrown: ThrownValue | null,
  lastPosition: Position | null,
): ScriptError {
  if (thrown === null) {
    const message = 'The script threw something that cannot be shown';
    return scriptError(source, { kind: 'runtime', name: 'Error', message, position: lastPosition });
  }
  const stack = thrown.stack ?? '';
  // JSON.parse, eval and new Function throw errors with the lines of another text.
  const own = thrown.fileName === SCRIPT_FILE && thrown.lineNumber !== undefined;
  const position =
    positionOfStack(source, stack) ??
    (own ? scriptPosition(source, thrown.lineNumber ?? 0, thrown.columnNumber ?? null) : null);
  const isError = thrown.thrown === 'object' && (thrown.isError || thrown.api);
  const name = isError ? (thrown.name ?? 'Error').slice(0, NAME_CHARS_MAX) : 'Thrown';
  const message = thrown.message ?? (isError ? '' : `The script threw ${thrown.thrown}`);
  const kind = thrown.api ? 'api' : isOutOfMemory(thrown) ? 'memory' : 'runtime';
  const causes = thrown.causes.map(
    (cause) => `Caused by ${[cause.shown, scriptStack(source, cause.stack)].filter(Boolean).join('\n')}`,
  );
  const stacks = [scriptStack(source, stack), ...causes].filter((part) => part !== null);
  return scriptError(source, {
    kind,
    name,
    message,
    code: thrown.api ? thrown.code?.slice(0, NAME_CHARS_MAX) : undefined,
    position,
    stack: stacks.length === 0 ? null : stacks.join('\n'),
  });
}

/** A run that a limit ended. `thrown` is what the engine threw for it, if anything came of it. */
export function errorOfStop(
  source: string,
  stop: Stop,
  thrown: ThrownValue | null,
  lastPosition: Position | null,
): ScriptError {
  const interrupted = thrown?.name === 'InternalError' && thrown.stack !== undefined ? thrown.stack : '';
  const exact = stop.position;
  const near = positionOfStack(source, interrupted) ?? lastPosition;
  const position = exact ?? (near === null ? null : { line: near.line, column: null });
  const message = exact === null && near !== null ? `${stop.message} (near line ${near.line})` : stop.message;
  return scriptError(source, {
    kind: stop.kind,
    name: stop.name,
    message,
    position,
    stack: scriptStack(source, interrupted),
  });
}

/** An error and its place in the source, as far as that is known. */
interface ScriptFault extends Pick<ScriptError, 'kind' | 'name' | 'message'> {
  code?: string | undefined;
  position?: Position | null;
  stack?: string | null;
}

export function scriptError(
  source: string,
  { kind, name, message, code, position = null, stack = null }: ScriptFault,
): ScriptError {
  return {
    kind,
    name,
    ...(code === undefined ? {} : { code }),
    message,
    line: position?.line ?? null,
    column: position?.column ?? null,
    snippet: snippetAt(source, position),
    stack,
  };
}

/** Reads the fields by hand, since a thread that has loaded zod has twice the heap to collect after every instance. */
function readThrown(value: Record<string, unknown>): ThrownValue {
  const text = (key: string) => (typeof value[key] === 'string' ? value[key] : undefined);
  const number = (key: string) => (typeof value[key] === 'number' ? value[key] : undefined);
  return {
    thrown: text('thrown') ?? 'unknown',
    api: value.api === true,
    isError: value.error === true,
    name: text('name'),
    message: text('message'),
    code: text('code'),
    stack: text('stack'),
    fileName: text('fileName'),
    lineNumber: number('lineNumber'),
    columnNumber: number('columnNumber'),
    causes: (Array.isArray(value.causes) ? value.causes : []).map((cause: Record<string, unknown>) => ({
      shown: String(cause.shown),
      stack: String(cause.stack),
    })),
  };
}

function isOutOfMemory(thrown: ThrownValue): boolean {
  return (
    thrown.name === 'InternalError' &&
    (thrown.message === 'out of memory' || thrown.message === 'string too long')
  );
}
