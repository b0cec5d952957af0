/** Sends a file as a dry run, prints what would change, and applies it where the caller agrees. */
import { ApiError } from '../../typescript/errors.ts';
import type { SyncResult } from '../../typescript/generated/types.ts';
import type { Batch } from '../../typescript/sync-batch.ts';
import { refusedText, tellWarnings } from '../batch-findings.ts';
import { confirm } from '../confirm.ts';
import { countOf } from '../count-of.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes.ts';
import { finish, followBatch } from '../finish-batch.ts';
import { shown } from '../output.ts';
import type { Session } from '../session.ts';
import type { Prepared } from './send-file.ts';

const PLAN_SHOWN = 200;
/** Numbers of entities that a plan remembers, to name parents by; a parent beyond them is named by its GUID. */
const NUMBERS_REMEMBERED = 100_000;

export interface PlanOptions {
  profile: string | undefined;
  exact: boolean | undefined;
  /** Applies the plan without asking. */
  yes: boolean | undefined;
}

export async function planFile(
  session: Session,
  file: string,
  prepared: Prepared,
  { profile, exact, yes }: PlanOptions,
): Promise<ExitCode> {
  const { partbook, output, signal } = session;
  const batch = await prepared.send(partbook, { profile, exact, dryRun: true, signal });
  const envelope = await followBatch(session, batch);
  if (envelope.status !== 'completed') return finish(session, file, batch, true);
  const { created, updated, skipped, error, warnings } = envelope.counts;
  const changes = await showPlan(session, batch);
  await tellWarnings(session, batch);
  const warned = warnings === 0 ? '' : `, ${countOf(warnings, 'warning')}`;
  output.answer(
    envelope,
    () => `${file}: ${created} new, ${updated} changed, ${skipped} unchanged, ${error} refused${warned}`,
  );
  if (created + updated === 0 && changes === 0) return error > 0 ? exitCodes.elementErrors : exitCodes.done;
  if (yes !== true) {
    if (!output.isAttended) return exitCodes.planHasChanges;
    await confirm(session, 'Apply this?', '');
  }
  try {
    return await finish(session, file, await batch.commit({ signal }), true);
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === 'plan_stale') {
      output.say(`${file}: ${failure.message}`, 'red');
      return exitCodeOf(failure);
    }
    throw failure;
  }
}

/** Prints the changes by entity and returns the number of entities that differ. Parents may come after their children. */
async function showPlan({ output, signal }: Session, batch: Batch): Promise<number> {
  const numbers = new Map<string, string>();
  const differing: SyncResult[] = [];
  let count = 0;
  for await (const result of batch.results(undefined, { signal })) {
    const { guid, number } = result;
    if (guid !== null && number !== undefined && numbers.size < NUMBERS_REMEMBERED) numbers.set(guid, number);
    if (planLines(result, numbers).length === 0) continue;
    count += 1;
    if (count <= PLAN_SHOWN) differing.push(result);
  }
  for (const result of differing) output.say(planLines(result, numbers).join('\n'));
  if (count > PLAN_SHOWN) output.say(`… and ${count - PLAN_SHOWN} more: partbook results ${batch.id}`);
  return count;
}

/** Names the line of a child that has several. */
function lineName(line: string | undefined): string {
  return line === undefined ? '' : line === '' ? ', line without find number' : `, line ${shown(line)}`;
}

function planLines(of: SyncResult, numbers: ReadonlyMap<string, string>): string[] {
  if (of.result === 'error') return [`! ${refusedText(of)}`];
  const { result, number, guid, changes = [], changesOmitted, links = [], linksOmitted } = of;
  const marks = { created: '+', updated: '~', skipped: ' ' } as const;
  const value = (one: unknown) => (one === null ? 'nothing' : `"${shown(String(one))}"`);
  const lines = [
    ...(result === 'created' ? [] : changes).map(
      ({ field, from, to }) => `    ${shown(field)}: ${value(from)} → ${value(to)}`,
    ),
    ...links.flatMap(({ parentGuid, childId, childGuid, from, to, changes: ofLine = [] }) => {
      const name =
        childId === undefined
          ? `in ${shown(numbers.get(parentGuid) ?? parentGuid)}`
          : `removed child ${shown(numbers.get(childGuid ?? '') ?? childGuid ?? childId)}`;
      return [
        ...(from === to ? [] : [`    ${name}: ${from ?? 0} → ${to ?? 0}`]),
        ...ofLine.map(
          (one) => `    ${name}${lineName(one.line)}, ${one.field}: ${value(one.from)} → ${value(one.to)}`,
        ),
      ];
    }),
    ...(linksOmitted === undefined ? [] : [`    … and ${linksOmitted} more links are taken out`]),
    ...(changesOmitted === undefined ? [] : [`    … and ${changesOmitted} more fields`]),
  ];
  if (result === 'skipped' && lines.length === 0) return [];
  return [`${marks[result]} ${shown(number ?? guid)}`, ...lines];
}
