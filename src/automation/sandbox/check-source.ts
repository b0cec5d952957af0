/**
 * Finds what is wrong with a script before it runs. The wrapped script decides whether it compiles; the place is
 * taken from a compilation of the bare script, which is exact unless a top-level `return` stopped it.
 */
import type { QuickJSContext } from 'quickjs-emscripten';
import {
  barePosition,
  isPastEnd,
  type Position,
  positionAt,
  SCRIPT_FILE,
  scriptPosition,
  snippetAt,
  WRAPPER_HEAD,
  WRAPPER_TAIL,
} from './locate-error.ts';
import type { ScriptLimits } from './script-limits.ts';
import type { ScriptError } from './script-result.ts';

const EVAL_STRICT = 1 << 3;
const EVAL_COMPILE_ONLY = 1 << 5;
/** Allows `await` at the top level, as in the wrapper. */
const EVAL_ASYNC = 1 << 7;
const RETURN_OUTSIDE = 'return not in a function';

/** An error as the engine describes it; see `describe` of the prelude and `readSyntaxError`. */
export interface EngineSyntaxError {
  message: string;
  line: number | null;
  column: number | null;
}

/** Size and text; needs no engine. */
export function checkSourceText(
  source: string,
  limits: Pick<ScriptLimits, 'sourceBytes'>,
): ScriptError | null {
  const bytes = Buffer.byteLength(source);
  if (bytes > limits.sourceBytes) {
    return syntaxErrorAt(source, `The script has ${bytes} bytes; ${limits.sourceBytes} are allowed`, null);
  }
  const strange = /\0|\p{Surrogate}/u.exec(source);
  if (strange === null) return null;
  const position = positionAt(source, strange.index);
  return syntaxErrorAt(source, 'The script contains U+0000 or half of a character', position);
}

/** Compiles without running; null where the script compiles. */
export function checkScriptSyntax(context: QuickJSContext, source: string): ScriptError | null {
  const wrapped = compile(context, wrapScript(source), EVAL_STRICT | EVAL_COMPILE_ONLY);
  if (wrapped !== null) return explainSyntaxError(context, source, wrapped);
  // It compiles: but only because it closes the wrapper's bracket and opens another.
  const bare = compile(context, source, EVAL_STRICT | EVAL_ASYNC | EVAL_COMPILE_ONLY);
  return bare === null || bare.message === RETURN_OUTSIDE ? null : explainSyntaxError(context, source, bare);
}

/** `wrapped` is what the engine said of the wrapped script. */
export function explainSyntaxError(
  context: QuickJSContext,
  source: string,
  wrapped: EngineSyntaxError,
): ScriptError {
  const bare = compile(context, source, EVAL_STRICT | EVAL_ASYNC | EVAL_COMPILE_ONLY);
  if (bare !== null && bare.message !== RETURN_OUTSIDE) {
    const position =
      bare.line === null ? findToken(source, bare.message) : barePosition(source, bare.line, bare.column);
    return syntaxErrorAt(source, readable(bare.message), position);
  }
  if (wrapped.line === null)
    return syntaxErrorAt(source, readable(wrapped.message), findToken(source, wrapped.message));
  const position = scriptPosition(source, wrapped.line, wrapped.column);
  const message = isPastEnd(source, wrapped.line)
    ? 'unexpected end of the script'
    : readable(wrapped.message);
  return syntaxErrorAt(source, message, position);
}

export function wrapScript(source: string): string {
  return `${WRAPPER_HEAD}${source}${WRAPPER_TAIL}`;
}

function compile(context: QuickJSContext, code: string, flags: number): EngineSyntaxError | null {
  const compiled = context.evalCode(code, SCRIPT_FILE, flags);
  if (compiled.error === undefined) {
    compiled.value.dispose();
    return null;
  }
  const { error } = compiled;
  try {
    const text = (key: string) =>
      context
        .getProp(error, key)
        .consume((value) => (context.typeof(value) === 'string' ? context.getString(value) : ''));
    const whole = (key: string) =>
      context
        .getProp(error, key)
        .consume((value) => (context.typeof(value) === 'number' ? context.getNumber(value) : null));
    return { message: text('message'), line: whole('lineNumber'), column: whole('columnNumber') };
  } finally {
    error.dispose();
  }
}

/** The engine gives an unknown private name no position, but names it. */
function findToken(source: string, message: string): Position | null {
  const token = /'(#[^']+)'/.exec(message)?.[1];
  const index = token === undefined ? -1 : source.indexOf(token);
  return index < 0 ? null : positionAt(source, index);
}

/** The engine shows the end of the source as an empty token. */
function readable(message: string): string {
  if (message === 'stack overflow') return 'the script is nested too deeply';
  return message.endsWith(": ''") ? 'unexpected end of the script' : message;
}

export function syntaxErrorAt(source: string, message: string, position: Position | null): ScriptError {
  return {
    kind: 'syntax',
    name: 'SyntaxError',
    message,
    line: position?.line ?? null,
    column: position?.column ?? null,
    snippet: snippetAt(source, position),
    stack: null,
  };
}
