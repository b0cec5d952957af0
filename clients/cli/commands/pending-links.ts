/** `partbook pending-links`: links whose parent is not there yet, and taking them back. */
import type { Command } from 'commander';
import { isGuid } from '../../readers/guid.ts';
import { ApiError } from '../../typescript/errors.ts';
import type { PendingLink } from '../../typescript/generated/types.ts';
import { listPages } from '../../typescript/list-items.ts';
import { countOf } from '../count-of.ts';
import { Ended, exitCodes, UsageError } from '../exit-codes.ts';
import { shown } from '../output.ts';
import { entityId, openSession, type Session } from '../session.ts';
import { type LimitFlags, limited, listFirst } from '../take-items.ts';

interface PendingLinkFlags extends LimitFlags {
  parent?: string;
  child?: string;
}

export function addPendingLinks(program: Command): void {
  const pendingLinks = program
    .command('pending-links')
    .description('list or delete links whose parent does not exist yet');
  const list = pendingLinks
    .command('list', { isDefault: true })
    .description('list the links, with the GUID that each waits for')
    .option('--parent <guid>', 'only those that wait for this GUID')
    .option('--child <reference>', 'only those of this child: its number, id or guid:…');
  limited(list, 50).action(async ({ parent, child, ...flags }: PendingLinkFlags) => {
    const session = openSession(list);
    const { partbook, output, signal } = session;
    const query = {
      ...(parent === undefined ? {} : { parentGuid: guidMeant(parent) }),
      ...(child === undefined ? {} : { child: await entityId(session, child) }),
    };
    await listFirst<PendingLink>(
      output,
      listPages(partbook, 'GET /pending-links', { query }, { signal }),
      flags,
      {
        'waits for': (one) => one.parentGuid,
        number: (one) => one.childNumber,
        name: (one) => one.childName,
        category: (one) => one.childCategory,
        quantity: (one) => one.quantity,
        guid: (one) => one.childGuid,
      },
      Object.keys(query).length === 0 ? 'No link waits for its parent.' : 'No link matches these options.',
    );
  });
  addRemove(pendingLinks);
}

function addRemove(pendingLinks: Command): void {
  const remove = pendingLinks
    .command('remove <parent> [child]')
    .description('delete one, named by the GUID that it waits for and its child (number, id or guid:…)')
    .option('--all', 'delete all links that wait for this GUID')
    .action(async (parent: string, child: string | undefined, { all }: { all?: boolean }) => {
      const parentGuid = guidMeant(parent);
      if (child !== undefined && all === true)
        throw new UsageError('Either the child whose link is taken back is named, or --all: not both.');
      if (child === undefined && all !== true)
        throw new UsageError('Name the child whose link is taken back, or --all for every link that waits.');
      const session = openSession(remove);
      if (child !== undefined) {
        const childId = await entityId(session, child);
        if (!(await isRemoved(session, parentGuid, childId))) {
          session.output.say(
            `No link of ${shown(child)} waits for ${parentGuid}: its parent has come, or somebody has taken it back.`,
            'red',
          );
          throw new Ended(exitCodes.failed);
        }
        session.output.say(`${shown(child)} waits for ${parentGuid} no longer.`);
        return;
      }
      const count = await removeAll(session, parentGuid);
      session.output.say(
        count === 0
          ? `No link waits for ${parentGuid}.`
          : `${countOf(count, 'link')} taken back: nothing waits for ${parentGuid} any more.`,
      );
    });
}

/** Returns how many links were removed. A user who interrupts it is told how many are gone already. */
async function removeAll(session: Session, parentGuid: string): Promise<number> {
  const { partbook, output, signal } = session;
  let count = 0;
  try {
    for (let hasMore = true; hasMore; ) {
      const { removed, more } = await partbook(
        'DELETE /pending-links',
        { query: { parentGuid } },
        { signal },
      );
      count += removed;
      hasMore = more;
    }
  } catch (error) {
    if (count > 0)
      output.say(`${countOf(count, 'link')} taken back until then: the same command goes on.`, 'red');
    throw error;
  }
  return count;
}

/** Not where it waits no longer, whoever has seen to that. */
async function isRemoved(
  { partbook, signal }: Session,
  parentGuid: string,
  childId: string,
): Promise<boolean> {
  try {
    await partbook('DELETE /pending-links/{parentGuid}/{childId}', { parentGuid, childId }, { signal });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'pending_link_not_found') return false;
    throw error;
  }
}

/** As it stands in the list, or written as a reference to an entity. */
function guidMeant(text: string): string {
  const guid = text.replace(/^guid:/, '');
  if (isGuid(guid)) return guid.replaceAll(/[{}]/g, '').toLowerCase();
  throw new UsageError(
    `"${text}" is no GUID: links wait for a parent by its GUID, as "partbook pending-links" shows it.`,
  );
}
