/** From the engine's positions to the script's: lines of the script, columns as editors count them, a snippet. */

export const SCRIPT_FILE = 'script.js';

/** On one line, so that the script's lines keep their numbers and only the first line's columns shift. */
export const WRAPPER_HEAD = '(async(context,api,console)=>{';
export const WRAPPER_TAIL = '\n})';

export interface Position {
  line: number;
  column: number | null;
}

/** The ends of lines in JavaScript, for which editors begin a line. The engine counts LF alone. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;
const FRAME = /^\s*at (?:(.*) \()?script\.js:(\d+):(\d+)\)?$/;
const NATIVE_FRAME = /^\s*at (.*) \(native\)$/;
const FRAMES_MAX = 20;
const SNIPPET_CHARS_MAX = 120;

/**
 * A position that the engine reported for the wrapped script, as the script's. Null where it lies in the
 * wrapper's head. What lies past the script (in the wrapper's tail) is put on its end.
 */
export function scriptPosition(source: string, line: number, column: number | null): Position | null {
  if (!Number.isInteger(line) || line < 1) return null;
  const engineLines = source.split('\n');
  const text = engineLines[line - 1];
  if (text === undefined) return endOf(source);
  const start = engineLines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  if (column === null || !Number.isInteger(column) || column < 1)
    return { line: positionAt(source, start).line, column: null };
  const codePoint = line === 1 ? column - WRAPPER_HEAD.length : column;
  if (codePoint < 1) return null;
  return positionAt(source, start + utf16Length(text.replace(/\r$/, ''), codePoint - 1));
}

/** The position of a character of the source. */
export function positionAt(source: string, index: number): { line: number; column: number } {
  const before = source.slice(0, index).split(LINE_END);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** Converts a position of a compilation of the bare script, whose first line is not shifted. */
export function barePosition(source: string, line: number, column: number | null): Position | null {
  return scriptPosition(source, line, line === 1 && column !== null ? column + WRAPPER_HEAD.length : column);
}

/** Past the end of the script, which only a missing bracket brings about. */
export function isPastEnd(source: string, line: number): boolean {
  return line > source.split('\n').length;
}

/** The innermost frame of the script in a stack of the engine. */
export function positionOfStack(source: string, stack: string): Position | null {
  for (const text of stack.split('\n')) {
    const frame = FRAME.exec(text);
    if (frame === null) continue;
    const position = scriptPosition(source, Number(frame[2]), Number(frame[3]));
    if (position !== null) return position;
  }
  return null;
}

/** The stack as the author knows it: frames of the script and of built-ins it called, at most 20. */
export function scriptStack(source: string, stack: string): string | null {
  const frames: string[] = [];
  for (const text of stack.split('\n')) {
    const frame = FRAME.exec(text);
    const position = frame === null ? null : scriptPosition(source, Number(frame[2]), Number(frame[3]));
    if (frame !== null && position !== null) {
      const name = frame[1] === undefined || frame[1] === '<eval>' ? '<anonymous>' : frame[1];
      frames.push(
        `    at ${name} (line ${position.line}${position.column === null ? '' : `, column ${position.column}`})`,
      );
    } else {
      const native = NATIVE_FRAME.exec(text);
      if (native !== null) frames.push(`    at ${native[1]} (built in)`);
    }
    if (frames.length === FRAMES_MAX) break;
  }
  return frames.length === 0 ? null : frames.join('\n');
}

/** The line with one neighbour each side, and a caret; long lines are cut around the column. */
export function snippetAt(source: string, position: Position | null): string | null {
  if (position === null) return null;
  const lines = source.split(LINE_END);
  const { line, column } = position;
  if (line > lines.length) return null;
  const from = column === null ? 0 : Math.max(0, column - 1 - SNIPPET_CHARS_MAX / 2);
  const first = Math.max(1, line - 1);
  const last = Math.min(lines.length, line + 1);
  const width = String(last).length;
  const rows: string[] = [];
  for (let number = first; number <= last; number++) {
    const text = (lines[number - 1] ?? '').slice(from, from + SNIPPET_CHARS_MAX).toWellFormed();
    rows.push(`${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${text}`.trimEnd());
    if (number === line && column !== null) {
      // Tabs stay tabs, so that the caret stands below its character.
      const indent = text.slice(0, column - 1 - from).replace(/[^\t]/g, ' ');
      rows.push(`  ${' '.repeat(width)} | ${indent}^`);
    }
  }
  return rows.join('\n');
}

/** The end of the last line that holds something: an editor's final line break is not where a bracket is missing. */
function endOf(source: string): Position {
  const lines = source.split(LINE_END);
  let line = lines.length;
  while (line > 1 && (lines[line - 1] ?? '').trim() === '') line -= 1;
  return { line, column: (lines[line - 1] ?? '').trimEnd().length + 1 };
}

/** UTF-16 code units of so many code points of a line, which ends before them at most. */
function utf16Length(line: string, codePoints: number): number {
  let units = 0;
  let left = codePoints;
  for (const character of line) {
    if (left === 0) break;
    units += character.length;
    left -= 1;
  }
  return units;
}
