/** Asks a question on the terminal. Without a terminal it fails and names the option that answers the question. */
import { Ended, exitCodes, UsageError } from './exit-codes.ts';
import type { Session } from './session.ts';
import { here } from './surroundings.ts';

export async function confirm(
  { output }: Pick<Session, 'output'>,
  question: string,
  otherwise: string,
): Promise<void> {
  if (!output.isAttended) throw new UsageError(`Nobody can be asked. ${otherwise}`.trim());
  const prompts = await import('@clack/prompts');
  const { stdin: input, stderr } = here();
  const answer = await prompts.confirm({ message: question, input, output: stderr });
  if (answer !== true)
    throw new Ended(prompts.isCancel(answer) ? exitCodes.interrupted : exitCodes.planHasChanges);
}
