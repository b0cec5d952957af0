/** Comments on an entity or an import: the thread, and a field for the next one. */
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askAll, askPages } from '../client/ask.ts';
import type { Comment } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { useOpener } from '../components/dialogs/use-return-focus.ts';
import { Sheet } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { Moment } from '../components/words.tsx';
import { CommentField } from './comment-field.tsx';
import { CommentText } from './comment-text.tsx';
import styles from './comments.module.css';
import type { Subject } from './subject.ts';

/** Whoever may change anything writes comments. */
const AREAS_OF_COMMENTS = ['stock', 'procurement', 'engineering', 'configuration', 'admin'] as const;
const PAGE = 50;

export function Comments({ of }: { of: Subject }) {
  const mayWrite = useMay(AREAS_OF_COMMENTS);
  // The newest are read first and shown last.
  const pages = useInfiniteQuery(askPages('listComments', { query: { ...of, order: 'desc' } }, PAGE));
  const [writing, setWriting] = useState(false);
  const opener = useOpener(writing);
  const comments = (pages.data?.pages ?? []).flatMap(({ items }) => items).toReversed();
  if (pages.data === undefined && !pages.isError) return null;
  if (comments.length === 0 && !mayWrite && !pages.isError) return null;
  return (
    <Sheet
      title="Comments"
      actions={
        mayWrite &&
        !writing && (
          <Button ref={opener} variant="default" size="xs" onClick={() => setWriting(true)}>
            Write a comment
          </Button>
        )
      }
    >
      {comments.length === 0 && !writing && !pages.isError && <p className="muted">No comments yet.</p>}
      {pages.isError && pages.data === undefined && (
        <ProblemPanel error={pages.error} onRetry={() => void pages.refetch()} />
      )}
      {pages.hasNextPage && (
        <Button
          variant="subtle"
          size="compact-sm"
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          Show earlier comments
        </Button>
      )}
      {comments.length > 0 && (
        <ol className={styles.thread}>
          {comments.map((comment) => (
            <li key={comment.id}>
              <OneComment comment={comment} />
            </li>
          ))}
        </ol>
      )}
      {writing && <NewComment of={of} onClose={() => setWriting(false)} />}
    </Sheet>
  );
}

function NewComment({ of, onClose }: { of: Subject; onClose: () => void }) {
  const [text, setText] = useState('');
  const write = useAction('createComment', {
    changes: ['listComments', 'listSubscriptions'],
    onDone: onClose,
  });
  return (
    <CommentField
      label="Comment"
      text={text}
      onText={setText}
      submit="Comment"
      busy={write.isPending}
      error={write.error}
      onSubmit={() => write.mutate({ body: { ...of, text } })}
      onCancel={onClose}
    />
  );
}

function OneComment({ comment }: { comment: Comment }) {
  const [doing, setDoing] = useState<'edit' | 'delete' | 'versions' | null>(null);
  const opener = useOpener(doing === 'edit');
  const mayDeleteAll = useMay('admin');
  const { id, author, createdAt, editedAt, deletedAt, mine, text } = comment;
  const close = () => setDoing(null);
  if (deletedAt !== null) return <p className="muted">A comment of {author.name} was deleted.</p>;
  return (
    <article className={styles.comment}>
      <header>
        <strong>{author.name}</strong> <Moment at={createdAt} />
        {editedAt !== null && (
          <Button variant="subtle" size="compact-xs" onClick={() => setDoing('versions')}>
            edited
          </Button>
        )}
        {mine && doing !== 'edit' && (
          <Button ref={opener} variant="subtle" size="compact-xs" onClick={() => setDoing('edit')}>
            Edit
          </Button>
        )}
        {(mine || mayDeleteAll) && (
          <Button variant="subtle" size="compact-xs" onClick={() => setDoing('delete')}>
            Delete
          </Button>
        )}
      </header>
      {doing === 'edit' ? (
        <EditedComment comment={comment} onClose={close} />
      ) : (
        <CommentText text={text} mentions={comment.mentions} />
      )}
      {doing === 'versions' && <Versions id={id} onClose={close} />}
      {doing === 'delete' && (
        <DeleteDialog
          operation="deleteComment"
          input={{ id }}
          changes={['listComments']}
          what="this comment"
          consequence="Its text and earlier versions are removed. The thread shows that there was a comment."
          done="The comment was deleted."
          onClose={close}
        />
      )}
    </article>
  );
}

function EditedComment({ comment, onClose }: { comment: Comment; onClose: () => void }) {
  const [text, setText] = useState(comment.text);
  const edit = useAction('editComment', {
    changes: ['listComments', 'listCommentVersions'],
    onDone: onClose,
  });
  return (
    <CommentField
      label="Edit comment"
      text={text}
      onText={setText}
      submit="Save"
      busy={edit.isPending}
      error={edit.error}
      onSubmit={() => edit.mutate({ id: comment.id, body: { text } })}
      onCancel={onClose}
    />
  );
}

function Versions({ id, onClose }: { id: string; onClose: () => void }) {
  const versions = useQuery(askAll('listCommentVersions', { id }));
  return (
    <Dialog title="Earlier texts" submit="Close" leave={null} onSubmit={onClose} onClose={onClose}>
      {versions.isError && <ProblemPanel error={versions.error} />}
      {(versions.data ?? []).map(({ text, writtenAt }) => (
        <article key={writtenAt} className={styles.comment}>
          <Moment at={writtenAt} />
          <CommentText text={text} />
        </article>
      ))}
    </Dialog>
  );
}
