/** Shows an error to people, on standard error. */
import { type Command, CommanderError } from 'commander';
import { FileFault, placeText } from '../readers/findings.ts';
import { ApiError, ConnectionError, PartbookError } from '../typescript/errors.ts';
import { Ended, Interrupted, OfFile } from './exit-codes.ts';
import { plain, plainLines } from './output.ts';
import { here } from './surroundings.ts';

/** `command`: the one that was run; null: none was. */
export function tellError(thrown: unknown, command: Command | null = null): void {
  if (thrown instanceof Ended || thrown instanceof CommanderError) return;
  here().stderr.write(`${plainLines(linesOf(thrown, command).join('\n'))}\n`);
}

/** Text from a service or a file stays in the line that quotes it. */
function linesOf(thrown: unknown, command: Command | null): string[] {
  const [file, error] = thrown instanceof OfFile ? [thrown.file, thrown.cause] : ['', thrown];
  const said = (place: string, { message }: Error) => plain(place === '' ? message : `${place}: ${message}`);
  if (error instanceof FileFault) return [said(placeText(file, error.place).replace(/^, /, ''), error)];
  if (error instanceof ApiError) {
    const { errors = [] } = error.problem;
    const own = (text: string) =>
      errors.reduce((all, { pointer }) => withOption(all, pointer, command), text);
    // The first of them stands in the message already.
    const details =
      errors.length < 2
        ? []
        : errors.map(({ pointer, message }) =>
            plain(`  ${optionOf(pointer, command) ?? pointer}: ${own(message)}`),
          );
    const message = own(said(file, error));
    return [`${message} (${plain(`${error.code}, request ${error.requestId}`)})`, ...details];
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

/** Writes the option of the command in place of the parameter or field of the service that it became. */
function withOption(text: string, pointer: string, command: Command | null): string {
  const option = optionOf(pointer, command);
  if (option === null) return text;
  const name = pointer.slice(1);
  return [
    `Parameter \`${name}\` of the query`,
    `Field \`${pointer}\``,
    `query ${pointer}`,
    `\`${name}\``,
  ].reduce((all, words) => all.replaceAll(words, option), text);
}

/** Returns the option or argument of the command that has the name of a parameter or field; null: none has. */
function optionOf(pointer: string, command: Command | null): string | null {
  const name = pointer.slice(1);
  const option = command?.options.find((one) => one.attributeName() === name);
  if (option !== undefined) return option.long ?? null;
  return command?.registeredArguments.some((one) => one.name() === name) === true ? `<${name}>` : null;
}
