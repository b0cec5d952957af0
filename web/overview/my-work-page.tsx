/** What waits for a member: requirements to decide, counts, imports with errors, plans with open actions. */
import { useQuery } from '@tanstack/react-query';
import { Children, type ReactNode } from 'react';
import { ask } from '../client/ask.ts';
import type { OwnWork } from '../client/operations.ts';
import { useSession } from '../client/session.ts';
import { Asked } from '../components/dialogs/asked.tsx';
import { EmptyState, PageFrame, Sheet } from '../components/page-frame.tsx';
import { RowList } from '../components/row-list.tsx';
import { countText, Due, Moment, quantityText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';

export function MyWorkPage() {
  const { actor } = useSession();
  if (actor.type === 'member') return <MyWork />;
  return (
    <PageFrame title="My work">
      <EmptyState title="Nothing waits for a key">
        You are signed in with the key {actor.name}. Sign in as a member to see what waits for you.
      </EmptyState>
    </PageFrame>
  );
}

function MyWork() {
  const work = useQuery({ ...ask('getMyWork', {}), staleTime: 0 });
  return (
    <PageFrame title="My work">
      <Asked of={work}>{(found) => <Groups work={found} />}</Asked>
    </PageFrame>
  );
}

/** Such as `32 open (50 required)`; one figure where nothing is covered. */
function openOfRequired(openQty: number, requiredQty: number): string {
  return openQty === requiredQty
    ? quantityText(requiredQty)
    : `${quantityText(openQty)} open (${quantityText(requiredQty)} required)`;
}

function Groups({ work }: { work: OwnWork }) {
  const { requirements, counts, imports, plans, mentions } = work;
  const waits = [requirements, counts, imports, plans, mentions].some((group) => (group?.count ?? 0) > 0);
  if (!waits)
    return (
      <EmptyState title="Nothing waits for you">
        Follow a part or an order to be told of it in your inbox.
      </EmptyState>
    );
  return (
    <>
      {mentions.count > 0 && (
        <Sheet>
          <Link href={paths.inbox()}>
            {mentions.isAtLeast ? 'More than ' : ''}
            {countText(mentions.count, 'unread line')} of your inbox{' '}
            {mentions.count === 1 ? 'mentions' : 'mention'} you
          </Link>
        </Sheet>
      )}
      <Group
        title="Counts assigned to you"
        group={counts}
        all={paths.stockPage('count-tasks')}
        row={(task) => ({
          name: <Link href={paths.countTask(task)}>Count {task.location.number ?? task.location.name}</Link>,
          detail: (
            <Details>
              {task.dueOn !== null && <Due date={task.dueOn} />}
              {task.note}
            </Details>
          ),
        })}
      />
      <Group
        title="Requirements to decide"
        group={requirements}
        all={paths.requirements({ state: 'Open' })}
        row={({ id, item, project, requiredQty, openQty, requiredBy }) => ({
          name: (
            <Link href={paths.requirement(id)}>
              {openOfRequired(openQty, requiredQty)} of {item.number ?? item.name}
            </Link>
          ),
          detail: (
            <Details>
              {item.number !== null && item.name}
              {project !== null && `for ${project.number ?? project.name}`}
              {requiredBy !== null && <Due date={requiredBy} />}
            </Details>
          ),
        })}
      />
      <Group
        title="Your imports with errors"
        group={imports}
        all={paths.batches()}
        row={({ id, profileName, status, errors, finishedAt }) => ({
          name: (
            <Link href={paths.batch(id, status === 'failed' ? {} : { result: 'error' })}>
              Import {profileName}
            </Link>
          ),
          detail: (
            <Details>
              {status === 'failed' ? 'failed' : countText(errors, 'error')}
              <Moment at={finishedAt} />
            </Details>
          ),
        })}
      />
      <Group
        title="Your planning runs"
        group={plans}
        all={paths.plans()}
        row={({ id, status, openActions, finishedAt }) => ({
          name: (
            <Link href={paths.plan(id)}>
              Planning run of <Moment at={finishedAt} />
            </Link>
          ),
          detail: status === 'failed' ? 'failed' : countText(openActions, 'open action'),
        })}
      />
    </>
  );
}

interface WorkGroup<Item> {
  count: number;
  isAtLeast: boolean;
  items: readonly Item[];
}

interface GroupProps<Item> {
  title: string;
  /** Null without the area that it takes. */
  group: WorkGroup<Item> | null;
  /** The list of all of them. */
  all: string;
  row: (item: Item) => { name: ReactNode; detail: ReactNode };
}

function Group<Item extends { id: string }>({ title, group, all, row }: GroupProps<Item>) {
  if (group === null || group.count === 0) return null;
  const { count, isAtLeast, items } = group;
  return (
    <Sheet
      title={`${title} (${quantityText(count)}${isAtLeast ? '+' : ''})`}
      actions={count > items.length && <Link href={all}>Show all</Link>}
    >
      <RowList
        label={title}
        none=""
        rows={items.map((item) => ({ key: item.id, ...row(item), actions: [] }))}
      />
    </Sheet>
  );
}

/** The parts that there are, with dots between. */
function Details({ children }: { children: ReactNode }) {
  return Children.toArray(children)
    .filter((part) => part !== '')
    .flatMap((part, at) => (at === 0 ? [part] : [' · ', part]));
}
