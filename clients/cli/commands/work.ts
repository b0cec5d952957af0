/** `partbook work`: what waits for the member whose key it is. */
import type { Command } from 'commander';
import type { OwnWork } from '../../typescript/generated/types.ts';
import { countOf } from '../count-of.ts';
import { tableText } from '../output.ts';
import { openSession } from '../session.ts';

export function addWork(program: Command): void {
  const work = program
    .command('work')
    .description(
      'show what waits for you: requirements to decide, counts assigned to you, your imports with errors, your planning runs. Takes a key that you made for yourself',
    )
    .action(async () => {
      const session = openSession(work);
      const found = await session.partbook('GET /me/work', session);
      session.output.answer(found, () => workText(found));
    });
}

function workText({ counts, requirements, imports, plans, mentions }: OwnWork): string {
  const rows = [
    ...(counts?.items ?? []).map(({ location, dueOn, note }) => ({
      what: 'count',
      of: location.number ?? location.name,
      until: dueOn,
      detail: note ?? '',
    })),
    ...(requirements?.items ?? []).map(({ item, project, requiredQty, openQty, requiredBy }) => ({
      what: 'requirement',
      of: item.number ?? item.name,
      until: requiredBy,
      // An older service does not say how much is open.
      detail: `${openQty === undefined || openQty === requiredQty ? requiredQty : `${openQty} open of ${requiredQty}`}${project === null ? '' : ` for ${project.number ?? project.name}`}`,
    })),
    ...(imports?.items ?? []).map(({ id, profileName, status, errors }) => ({
      what: 'import',
      of: profileName,
      until: null,
      detail: `${id} ${status === 'failed' ? 'failed' : countOf(errors, 'error')}`,
    })),
    ...(plans?.items ?? []).map(({ id, status, openActions }) => ({
      what: 'plan',
      of: id,
      until: null,
      detail: status === 'failed' ? 'failed' : countOf(openActions, 'open action'),
    })),
  ];
  const more = [
    moreOf('count', counts),
    moreOf('requirement', requirements),
    moreOf('import', imports),
    mentions.count === 0
      ? ''
      : `${countOf(mentions.count, 'unread line')} of your inbox ${mentions.count === 1 ? 'mentions' : 'mention'} you.`,
  ].filter((line) => line !== '');
  if (rows.length + more.length === 0) return 'Nothing waits for you.';
  const table =
    rows.length === 0
      ? []
      : [
          tableText(rows, {
            what: (one) => one.what,
            of: (one) => one.of,
            until: (one) => one.until ?? '',
            detail: (one) => one.detail,
          }),
        ];
  return [...table, ...more].join('\n');
}

function moreOf(
  what: string,
  group: { count: number; isAtLeast: boolean; items: readonly unknown[] } | null,
): string {
  if (group === null || group.count <= group.items.length) return '';
  return `${group.isAtLeast ? 'More than ' : ''}${countOf(group.count, what)}; the first ${group.items.length} are shown.`;
}
