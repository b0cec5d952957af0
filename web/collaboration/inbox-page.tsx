/** The inbox of a member: what others did with the things that it follows, the latest first. */
import { Button, Switch } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askPages } from '../client/ask.ts';
import type { InboxLine } from '../client/operations.ts';
import { useSession } from '../client/session.ts';
import { EmptyState, PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { Moment } from '../components/words.tsx';
import { useAddress } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './inbox.module.css';
import { MailSetting } from './mail-setting.tsx';

const PAGE = 50;

export function InboxPage() {
  const { actor } = useSession();
  if (actor.type === 'member') return <Inbox />;
  return (
    <PageFrame title="Inbox">
      <EmptyState title="Keys have no inbox">
        You are signed in with the key {actor.name}. Sign in as a member to follow things and to be told of
        them.
      </EmptyState>
    </PageFrame>
  );
}

function Inbox() {
  const [unread, setUnread] = useState(false);
  const { search } = useAddress();
  const query = { unread: unread ? ('true' as const) : ('false' as const) };
  const pages = useInfiniteQuery(askPages('listInbox', { query }, PAGE));
  const mark = useAction('markInboxRead', { changes: ['listInbox', 'countUnread'] });
  const lines = (pages.data?.pages ?? []).flatMap(({ items }) => items);
  const [newest] = lines;
  const hasUnread = lines.some(({ readAt }) => readAt === null);
  return (
    <PageFrame
      title="Inbox"
      actions={
        newest !== undefined &&
        hasUnread && (
          <Button
            variant="default"
            loading={mark.isPending}
            onClick={() => mark.mutate({ body: { upTo: newest.lastAt } })}
          >
            Mark all as read
          </Button>
        )
      }
    >
      <Sheet
        title="What others did"
        actions={
          <Switch
            label="Unread only"
            checked={unread}
            onChange={({ currentTarget }) => setUnread(currentTarget.checked)}
          />
        }
      >
        {pages.data === undefined &&
          (pages.isError ? (
            <ProblemPanel error={pages.error} onRetry={() => void pages.refetch()} />
          ) : (
            <Waiting />
          ))}
        {pages.data !== undefined && lines.length === 0 && (
          <p className="muted">
            {unread
              ? 'Everything is read.'
              : 'Nothing yet. Follow a part, a location, an order or an import on its page, or a saved view of items beside its name; you automatically follow what you comment on and where somebody mentions you.'}
          </p>
        )}
        {lines.length > 0 && (
          <ul className={styles.lines} aria-label="Inbox">
            {lines.map((line) => (
              <Line key={line.id} line={line} onRead={() => mark.mutate({ body: { ids: [line.id] } })} />
            ))}
          </ul>
        )}
        {pages.hasNextPage && (
          <Button
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show more
          </Button>
        )}
      </Sheet>
      <MailSetting stop={search.get('mail') === 'stop'} />
    </PageFrame>
  );
}

function Line({ line, onRead }: { line: InboxLine; onRead: () => void }) {
  const isUnread = line.readAt === null;
  const { href, name } = targetOf(line);
  const read = () => {
    if (isUnread) onRead();
  };
  return (
    <li className={isUnread ? styles.unread : undefined}>
      <div className={styles.text}>
        <span>
          {isUnread && <span className="visually-hidden">Unread: </span>}
          <Link href={href} onClick={read}>
            {name}
          </Link>{' '}
          {happenedIn(line)}
        </span>
        {line.comment !== null && <q className={styles.quote}>{line.comment.text}</q>}
        <span className="muted">
          {line.actor !== null && `${line.actor.name}, `}
          <Moment at={line.lastAt} />
          {line.entity !== null &&
            line.entity.id !== line.subject.id &&
            ` · you follow ${labelOf(line.subject)}`}
        </span>
      </div>
      {isUnread && (
        <Button variant="subtle" size="compact-sm" onClick={onRead} aria-label={`Mark as read: ${name}`}>
          Mark as read
        </Button>
      )}
    </li>
  );
}

const labelOf = ({ number, name }: { number: string | null; name: string | null }) =>
  [number, name].filter((one) => one !== null && one !== '').join(' ') || 'something that is no longer there';

function targetOf(line: InboxLine): { href: string; name: string } {
  const { kind, entity, subject, importId } = line;
  if (isOfView(line)) {
    const name = `View ${subject.name ?? 'that is no longer there'}`;
    return { href: paths.entities({ view: subject.id ?? undefined }), name };
  }
  if (entity !== null)
    return {
      href: kind === 'order' && subject.id !== null ? paths.entity(subject.id) : paths.entity(entity.id),
      name: labelOf(kind === 'order' && subject.type === 'entity' ? subject : entity),
    };
  const ofImports = subject.type === 'importProfile' || subject.type === 'import';
  const name = ofImports ? `Import ${subject.name ?? ''}`.trim() : labelOf(subject);
  if (importId !== null) return { href: paths.batch(importId), name };
  return { href: subject.id === null ? paths.batches() : paths.entity(subject.id), name };
}

/** Several entities of a followed view, of which the line has the newest. */
const isOfView = ({ subject, count }: InboxLine) => subject.type === 'view' && count > 1;

function happenedIn(line: InboxLine): string {
  const { kind, count, detail, entity } = line;
  if (isOfView(line)) {
    const what = kind === 'created' ? 'new entries' : kind === 'moved' ? 'changes of state' : 'changes';
    return `has ${count} ${what}, last of ${entity === null ? 'one that is no longer there' : labelOf(entity)}`;
  }
  const times = count === 1 ? '' : ` ${count} times`;
  switch (kind) {
    case 'mentioned':
      return count === 1 ? 'mentions you' : `mentions you ${count} times`;
    case 'commented':
      return count === 1 ? 'has a new comment' : `has ${count} new comments`;
    case 'created':
      return 'is new';
    case 'moved':
      return `changed its state${times}, last to ${detail}`;
    case 'changed':
      return `was changed${times}${detail === null ? '' : `: ${detail}`}`;
    case 'order':
      return `changed in procurement${times}`;
    case 'stock':
      return `changed in stock${times}`;
    case 'importEnded':
      return count === 1 ? 'was completed' : `was completed${times}`;
    case 'importProblem':
      if (detail === 'failed' || detail === 'cancelled') return `was ${detail}${times}`;
      return `ended with errors${times}, last ${detail}`;
  }
}
