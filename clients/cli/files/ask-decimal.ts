/** Asks for the decimal sign of a file with numbers that can be read in two ways, such as `1,000`. */
import { bothReadings } from '../../readers/read-decimal.ts';
import { Ended, exitCodes } from '../exit-codes.ts';
import type { Session } from '../session.ts';
import { here } from '../surroundings.ts';
import type { Prepared } from './send-file.ts';

/** The sign to read the file with again; null where nothing is open, or where nobody can be asked and the file is refused. */
export async function askDecimal(
  { output }: Session,
  file: string,
  { reading, remove }: Prepared,
): Promise<'.' | ',' | null> {
  const open = reading?.findings.kept.find(({ code }) => code === 'number_ambiguous');
  if (open === undefined || !output.isAttended) return null;
  const text = /"([^"]+)"/.exec(open.message)?.[1] ?? '';
  const [thousands, decimals] = bothReadings(text) ?? [];
  const isComma = text.includes(',');
  const { stdin: input, stderr } = here();
  const prompts = await import('@clack/prompts');
  const answer = await prompts.select<'.' | ','>({
    message: `${file}: how much is "${text}" (line ${open.place.line ?? '?'})?`,
    options: [
      { value: isComma ? '.' : ',', label: `${thousands}` },
      { value: isComma ? ',' : '.', label: `${decimals}` },
    ],
    input,
    output: stderr,
  });
  if (!prompts.isCancel(answer)) return answer;
  remove();
  throw new Ended(exitCodes.interrupted);
}
