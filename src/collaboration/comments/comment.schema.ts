/** Comments as the API shows them. */
import { z } from 'zod';
import { actorTypes } from '../../actor.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { readOnly } from '../../http/read-only.ts';

export const TEXT_CHARS_MAX = 10_000;
export const MENTIONS_MAX = 20;
export const VERSIONS_MAX = 50;

const Text = z
  .string()
  .trim()
  .min(1)
  .max(TEXT_CHARS_MAX)
  .meta({
    description:
      'Markdown; HTML in it is shown as text. `@[NAME]` mentions a member of that name, `#[NUMBER]` is a link to the entity with that number.',
    examples: ['@[Anna Berg] the drawing of #[P-100] shows the old hole pattern.'],
  });

export const Person = z
  .object({ id: z.uuid(), name: z.string() })
  .meta({ id: 'PersonName', description: 'A member of the workspace.' });

const about = {
  entityId: z
    .uuid()
    .nullable()
    .meta({ description: 'The entity, order, line or requirement; null for a comment on an import.' }),
  importId: z.uuid().nullable().meta({ description: 'The import; null for a comment on an entity.' }),
};

export const Comment = z
  .object({
    id: z.uuid(),
    ...about,
    text: z.string().meta({ description: 'Markdown; empty if the comment was deleted.' }),
    mentions: z
      .array(
        Person.extend({
          writtenAs: z.string().meta({
            description: 'The name in the text, whatever its case: that of the member when it was mentioned.',
          }),
        }).meta({ id: 'Mention' }),
      )
      .max(MENTIONS_MAX)
      .meta({ description: 'Mentioned members with their present names.' }),
    author: z.object({ type: z.enum(actorTypes), id: z.uuid(), name: z.string() }),
    mine: z.boolean().meta({ description: 'Whether the caller of this request wrote it.' }),
    createdAt: z.iso.datetime(),
    editedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Time of the last edit; null if it was never edited.' }),
    deletedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Comment', description: 'A comment on an entity or an import.' });
export type Comment = z.output<typeof Comment>;

export const CommentVersion = z
  .object({ text: z.string(), writtenAt: z.iso.datetime() })
  .meta({ id: 'CommentVersion', description: 'An earlier text of a comment.' });

const exactlyOne = { error: 'must have either `entity` or `import`' };

export const CommentsOf = {
  entity: EntityRef.optional(),
  import: z.uuid().optional().describe('Id of an import (batch).'),
};
export const isAboutOne = (given: { entity?: unknown; import?: unknown }) =>
  (given.entity === undefined) !== (given.import === undefined);

export const NewComment = z
  .strictObject({ ...CommentsOf, text: Text })
  .refine(isAboutOne, exactlyOne)
  .meta({ id: 'NewComment' });
export type NewComment = z.output<typeof NewComment>;

export const CommentEdit = z
  .strictObject({
    text: Text,
    ...readOnly(
      Comment,
      ['id', 'entityId', 'importId', 'mentions', 'author', 'mine', 'createdAt', 'editedAt', 'deletedAt'],
      { drifting: ['mentions'] },
    ),
  })
  .meta({ id: 'CommentEdit' });
export type CommentEdit = z.output<typeof CommentEdit>;

export const CommentParams = z.strictObject({ id: z.uuid().describe('Id of the comment.') });
