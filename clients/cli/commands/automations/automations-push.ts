/** `partbook automations push`: each script by itself, and of each what became of it, so that nobody has to guess what is done. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { ApiError } from '../../../typescript/errors.ts';
import type { Automation } from '../../../typescript/generated/types.ts';
import { countOf } from '../../count-of.ts';
import { Ended, exitCodes } from '../../exit-codes.ts';
import { customOf, hasSettings, type Kept, scriptsOf } from '../../files/script-files.ts';
import { plain, shown } from '../../output.ts';
import { openSession, type Session } from '../../session.ts';

type Script = Kept & { script: string };

interface Pushed {
  name: string;
  file: string;
  /**
   * `same`: nothing differs, and nothing was sent. `unsent`: the command ended before it. `unanswered`: it was sent, and may have been
   * taken.
   */
  result: 'created' | 'updated' | 'same' | 'refused' | 'unsent' | 'unanswered';
  /** Why it was refused, with its place. */
  message?: string;
}

export function addPush(automations: Command): void {
  const push = automations
    .command('push [folder]')
    .description('upload the scripts in the files; other scripts stay as they are')
    .option('--plan', 'show the changes without making them')
    .action(async (folder = 'automations', { plan }: { plan?: boolean }) => {
      const session = openSession(push);
      const scripts = scriptsOf(folder);
      const existing = new Map((await customOf(session)).map((one) => [one.name, one]));
      const pushed: Pushed[] = [];
      let stopped: { by: unknown } | null = null;
      for (const script of scripts) {
        const known = existing.get(script.name);
        const become = { name: script.name, file: join(folder, script.file) };
        if (stopped !== null) pushed.push({ ...become, result: 'unsent' });
        else if (known !== undefined && isSame(known, script)) pushed.push({ ...become, result: 'same' });
        else {
          try {
            if (plan !== true) await send(session, known, script);
            pushed.push({ ...become, result: known === undefined ? 'created' : 'updated' });
          } catch (error) {
            const message = refusalOf(error, become.file);
            if (message === null) stopped = { by: error };
            pushed.push({
              ...become,
              ...(message === null ? { result: endedAt(error) } : { result: 'refused', message }),
            });
          }
        }
        tell(session, pushed.at(-1) as Pushed);
      }
      if (session.output.form !== 'text') session.output.answer(pushed, () => '');
      if (plan !== true) tellAll(session, pushed);
      if (stopped !== null) throw stopped.by;
      const isChanged = pushed.some(({ result }) => result !== 'same');
      if (!isChanged) session.output.say('Nothing differs.');
      if (pushed.some(({ result }) => result === 'refused')) throw new Ended(exitCodes.failed);
      if (plan === true && isChanged) throw new Ended(exitCodes.planHasChanges);
    });
}

async function send({ partbook, signal }: Session, known: Automation | undefined, script: Script) {
  const { file: _, script: text, ...rest } = script;
  const body = rest.actions === undefined ? { ...rest, script: text } : rest;
  if (known === undefined) {
    await partbook('POST /automations', { body }, { signal });
    return;
  }
  const current = await partbook.send('GET /automations/{id}', { id: known.id }, { signal });
  // An edit that was made since the comparison is kept.
  const headers = { 'If-Match': current.headers.get('ETag') ?? '*' };
  await partbook('PUT /automations/{id}', { id: known.id, body }, { signal, headers });
}

/** Describes an error of this script alone; null if others would fail in the same way. */
function refusalOf(error: unknown, file: string): string | null {
  if (!(error instanceof ApiError) || ![400, 404, 409, 412, 413, 422, 428].includes(error.status))
    return null;
  const [first] =
    (error.problem as { errors?: { line?: number; column?: number; pointer?: string; message?: string }[] })
      .errors ?? [];
  if (error.code === 'script_syntax_error')
    return `${file}:${first?.line ?? '?'}:${first?.column ?? '?'}: ${plain(first?.message ?? error.message)}`;
  return `${file}: ${plain(error.message)}`;
}

function endedAt(error: unknown): 'unsent' | 'unanswered' {
  return error instanceof ApiError ? 'unsent' : 'unanswered';
}

const marks = { created: '+', updated: '~', refused: '!', unsent: '-', unanswered: '?' } as const;

function tell({ output }: Session, { name, result, message }: Pushed): void {
  if (result === 'same') return;
  const why = message === undefined ? '' : `: ${message}`;
  output.say(`${marks[result]} ${shown(name)}${why}`, result === 'refused' ? 'red' : undefined);
}

/** Says after a failure what is done, what is not, and what to do. */
function tellAll({ output }: Session, pushed: readonly Pushed[]): void {
  const of = (...results: Pushed['result'][]) => pushed.filter(({ result }) => results.includes(result));
  const [done, refused, unsent] = [of('created', 'updated'), of('refused'), of('unsent')];
  const unanswered = of('unanswered');
  if (refused.length + unsent.length + unanswered.length === 0) return;
  const named = (some: readonly Pushed[]) => some.map(({ name }) => `"${shown(name)}"`).join(', ');
  const parts = [
    `${countOf(done.length, 'script')} pushed`,
    ...(refused.length === 0 ? [] : [`${refused.length} refused: ${named(refused)}`]),
    ...(unsent.length === 0 ? [] : [`${unsent.length} not sent: ${named(unsent)}`]),
    ...(unanswered.length === 0 ? [] : [`without an answer, and perhaps pushed: ${named(unanswered)}`]),
  ];
  const then = refused.length === 0 ? 'Push again for the rest.' : 'Mend what was refused, and push again.';
  const stays =
    done.length + unanswered.length === 0
      ? 'The workspace is as it was before.'
      : 'What was pushed works already; what was not is in the workspace as it was before.';
  output.say(`${parts.join('; ')}. ${stays} ${then}`);
}

function isSame(known: Automation, script: Script): boolean {
  return (
    (['name', 'description', 'contextTypeId', 'enabled'] as const).every(
      (field) => known[field] === script[field],
    ) &&
    // The service writes the script of actions.
    (script.actions !== undefined || known.script === script.script) &&
    hasSettings(known, script)
  );
}
