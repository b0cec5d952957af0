/** A script is checked before it is kept: nobody should learn from a failed run that a bracket is missing. */
import { AppError } from '../errors.ts';
import type { ScriptPool } from './conductor/script-pool.ts';

/** Throws `script_syntax_error` with the line and the column (contract §5.1). */
export async function requireScript(scripts: Pick<ScriptPool, 'checkSyntax'>, source: string): Promise<void> {
  const error = await scripts.checkSyntax(source);
  if (error === null) return;
  const { line, column, message, snippet } = error;
  const where = line === null ? '' : ` in line ${line}${column === null ? '' : `, column ${column}`}`;
  throw new AppError('script_syntax_error', {
    detail: `The script does not compile${where}: ${message}.`,
    errors: [{ pointer: '/script', code: 'script_syntax_error', message, line, column }],
    extensions: { snippet },
  });
}
