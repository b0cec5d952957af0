/** Shows an error to people, on standard error. */
import { CommanderError } from 'commander';
import { FileFault, placeText } from '../readers/findings.ts';
import { ApiError, ConnectionError, PartbookError } from '../typescript/errors.ts';
import { Ended, Interrupted, OfFile } from './exit-codes.ts';
import { plain, plainLines } from './output.ts';
import { here } from './surroundings.ts';

export function tellError(thrown: unknown): void {
  if (thrown instanceof Ended || thrown instanceof CommanderError) return;
  here().stderr.write(`${plainLines(linesOf(thrown).join('\n'))}\n`);
}

/** Text from a service or a file stays in the line that quotes it. */
function linesOf(thrown: unknown): string[] {
  const [file, error] = thrown instanceof OfFile ? [thrown.file, thrown.cause] : ['', thrown];
  const said = (place: string, { message }: Error) => plain(place === '' ? message : `${place}: ${message}`);
  if (error instanceof FileFault) return [said(placeText(file, error.place).replace(/^, /, ''), error)];
  if (error instanceof ApiError) {
    const { errors = [] } = error.problem;
    // The first of them stands in the message already.
    const details =
      errors.length < 2 ? [] : errors.map(({ pointer, message }) => plain(`  ${pointer}: ${message}`));
    return [`${said(file, error)} (${plain(`${error.code}, request ${error.requestId}`)})`, ...details];
  }
  if (error instanceof ConnectionError) {
    const { cause } = error.cause instanceof Error ? error.cause : { cause: undefined };
    const why = (cause as { code?: string; message?: string } | undefined)?.code;
    return [`${said('', error)}${why === undefined ? '' : ` (${why})`} "partbook doctor" looks why.`];
  }
  if (error instanceof Interrupted) return ['Interrupted.'];
  if (!(error instanceof Error)) return [String(error)];
  if (here().env.PARTBOOK_DEBUG !== undefined) return [error.stack ?? error.message];
  return error instanceof PartbookError ? [said('', error)] : [error.message];
}
