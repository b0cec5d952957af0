/** What went wrong, for people, on standard error. */
import { CommanderError } from 'commander';
import { FileFault, placeText } from '../readers/findings.ts';
import { ApiError, ConnectionError } from '../typescript/errors.ts';
import { Ended, Interrupted, OfFile } from './exit-codes.ts';

export function tellError(thrown: unknown): void {
  if (thrown instanceof Ended || thrown instanceof CommanderError) return;
  const [file, error] = thrown instanceof OfFile ? [thrown.file, thrown.cause] : ['', thrown];
  const said = (place: string, { message }: Error) => (place === '' ? message : `${place}: ${message}`);
  const lines = (): string[] => {
    if (error instanceof FileFault) return [said(placeText(file, error.place).replace(/^, /, ''), error)];
    if (error instanceof ApiError) {
      const { errors = [] } = error.problem;
      // The first of them stands in the message already.
      const details =
        errors.length < 2 ? [] : errors.map(({ pointer, message }) => `  ${pointer}: ${message}`);
      return [`${said(file, error)} (${error.code}, request ${error.requestId})`, ...details];
    }
    if (error instanceof ConnectionError) {
      const { cause } = error.cause instanceof Error ? error.cause : { cause: undefined };
      const why = (cause as { code?: string; message?: string } | undefined)?.code;
      return [`${error.message}${why === undefined ? '' : ` (${why})`} "partbook doctor" looks why.`];
    }
    if (error instanceof Interrupted) return ['Interrupted.'];
    const message = error instanceof Error ? error.message : String(error);
    return process.env.PARTBOOK_DEBUG === undefined || !(error instanceof Error)
      ? [message]
      : [error.stack ?? message];
  };
  process.stderr.write(`${lines().join('\n')}\n`);
}
