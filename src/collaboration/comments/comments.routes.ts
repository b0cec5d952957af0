/** `/comments` on entities and imports, and `/people`, whom they can mention. */
import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import { rfc3339 } from '../../db/time.ts';
import { invalidInput } from '../../http/bodies/validate-input.ts';
import { requireMatch } from '../../http/entity-tag.ts';
import { decodeCursor, ListOrder, ListQuery, listOf, pageOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import {
  Comment,
  CommentEdit,
  CommentParams,
  CommentsOf,
  CommentVersion,
  isAboutOne,
  NewComment,
  Person,
  VERSIONS_MAX,
} from './comment.schema.ts';
import { selectComments, selectPeople, selectVersions } from './comments.sql.ts';
import { type CommentRow, findComment, showComment } from './find-comment.ts';
import { changeComment, deleteComment, findSubject, writeComment } from './write-comment.ts';

const collection = '/api/wid/{slug}/comments';
const single = `${collection}/{id}`;
const tag = 'Comments';
/** A caller that may only read changes nothing. */
const access = ['stock', 'procurement', 'engineering', 'configuration', 'admin'] as const;

const tagOf = ({ id, version }: CommentRow) => `${id.slice(-12)}-${version}`;

const listComments = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listComments',
  tag,
  summary: 'List the comments on an entity or an import',
  description:
    'Name one of `entity` and `import`. Orders, lines and requirements are entities. A deleted comment is shown without text.',
  access: 'read',
  transaction: 'read',
  query: ListQuery.extend({ ...CommentsOf, order: ListOrder }),
  answers: { 200: { description: 'A page of comments.', schema: listOf(Comment) } },
  errors: ['entity_not_found', 'batch_not_found'],
  handle: async (call, tx) => {
    const { limit, cursor, order, ...of } = call.query;
    if (!isAboutOne(of))
      throw invalidInput(
        [{ pointer: '/entity', code: 'invalid_value', message: 'Name one of "entity" and "import".' }],
        'query',
      );
    const { subject, id } = await findSubject(tx, of);
    const list = `comments-${order}`;
    const after = decodeCursor(list, cursor, z.uuid());
    const sql = selectComments(subject, order === 'desc');
    const page = await readPage<CommentRow>(tx, sql, [tx.workspaceId, id, after, limit + 1], {
      limit,
      long: ['text', 'mentions', 'author_name'],
    });
    const show = (row: CommentRow) => showComment(row, call.actor);
    return { status: 200, body: pageOf(list, page, (row) => row.id, show) };
  },
});

const postComment = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createComment',
  tag,
  summary: 'Write a comment',
  description: 'A mention of a name that no active member has is refused.',
  access,
  transaction: 'write',
  body: NewComment,
  answers: { 201: { description: 'The comment; `Location` is its address.', schema: Comment } },
  errors: ['entity_not_found', 'batch_not_found', 'too_many_comments'],
  handle: async (call, tx) => {
    const row = await writeComment(tx, call, call.body, call.ctx.config.COMMENTS_MAX);
    const headers = { Location: `/api/wid/${call.workspace.slug}/comments/${row.id}` };
    return { status: 201, body: showComment(row, call.actor), etag: tagOf(row), headers };
  },
});

const getComment = defineRoute({
  method: 'get',
  path: single,
  operationId: 'getComment',
  tag,
  summary: 'Read a comment',
  access: 'read',
  transaction: 'read',
  params: CommentParams,
  answers: { 200: { description: 'The comment.', schema: Comment } },
  errors: ['comment_not_found'],
  handle: async (call, tx) => {
    const row = await findComment(tx, call.params.id);
    return { status: 200, body: showComment(row, call.actor), etag: tagOf(row) };
  },
});

const putComment = defineRoute({
  method: 'put',
  path: single,
  operationId: 'editComment',
  tag,
  summary: 'Edit a comment',
  description: `Only its author can do so. The earlier text stays readable (\`GET /comments/{id}/versions\`). A comment is edited ${VERSIONS_MAX} times at most.`,
  access,
  transaction: 'write',
  params: CommentParams,
  body: CommentEdit,
  answers: { 200: { description: 'The edited comment.', schema: Comment } },
  errors: ['comment_not_found', 'comment_deleted', 'too_many_comments'],
  handle: async (call, tx) => {
    const row = await findComment(tx, call.params.id, { lock: true });
    requireMatch(call, tagOf(row));
    requireAsRead(CommentEdit, call.body, showComment(row, call.actor));
    const changed = await changeComment(tx, call, row, call.body.text);
    return { status: 200, body: showComment(changed, call.actor), etag: tagOf(changed) };
  },
});

const removeComment = defineRoute({
  method: 'delete',
  path: single,
  operationId: 'deleteComment',
  tag,
  summary: 'Delete a comment',
  description:
    'Removes its text and the earlier ones; the thread still shows that there was a comment. For its author and administrators.',
  access,
  transaction: 'write',
  params: CommentParams,
  answers: { 204: { description: 'It was deleted.' } },
  errors: ['comment_not_found', 'comment_deleted'],
  handle: async (call, tx) => {
    const row = await findComment(tx, call.params.id, { lock: true });
    requireMatch(call, tagOf(row));
    await deleteComment(tx, call, row);
    return { status: 204 };
  },
});

interface VersionRow {
  version: number;
  text: string;
  written_at: string;
}

const listCommentVersions = defineRoute({
  method: 'get',
  path: `${single}/versions`,
  operationId: 'listCommentVersions',
  tag,
  summary: 'Read the earlier texts of a comment',
  access: 'read',
  transaction: 'read',
  params: CommentParams,
  query: ListQuery,
  answers: {
    200: {
      description: 'A page of the texts before each edit, oldest first; none if the comment was deleted.',
      schema: listOf(CommentVersion),
    },
  },
  errors: ['comment_not_found'],
  handle: async (call, tx) => {
    const { limit, cursor } = call.query;
    const { id } = await findComment(tx, call.params.id);
    const list = `comment-versions ${id}`;
    const after = decodeCursor(list, cursor, z.int());
    const page = await readPage<VersionRow>(tx, selectVersions, [tx.workspaceId, id, after, limit + 1], {
      limit,
      long: ['text'],
    });
    const show = ({ text, written_at }: VersionRow) => ({ text, writtenAt: rfc3339(written_at) });
    return { status: 200, body: pageOf(list, page, ({ version }) => version, show) };
  },
});

const listPeople = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/people',
  operationId: 'listPeople',
  tag,
  summary: 'List the members that a comment can mention',
  description: 'Active members with their names, the longest known first.',
  access: 'read',
  transaction: 'read',
  query: ListQuery.extend({
    q: z.string().min(1).max(200).optional().describe('Text that the name contains, whatever its case.'),
  }),
  answers: { 200: { description: 'A page of members.', schema: listOf(Person) } },
  handle: async (call, tx) => {
    const { limit, cursor, q } = call.query;
    const after = decodeCursor('people', cursor, z.uuid());
    const page = await readPage<z.output<typeof Person>>(
      tx,
      selectPeople,
      [tx.workspaceId, q ?? null, after, limit + 1],
      { limit, long: ['name'] },
    );
    const show = ({ id, name }: z.output<typeof Person>) => ({ id, name });
    return { status: 200, body: pageOf('people', page, ({ id }) => id, show) };
  },
});

export const commentRoutes: readonly AnyRoute[] = [
  listComments,
  postComment,
  getComment,
  putComment,
  removeComment,
  listCommentVersions,
  listPeople,
];
