/** Workspaces as the operator makes and lists them. */
import { z } from 'zod';

const slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{1,62}$/, {
    error: 'must be 2 to 63 lowercase letters, digits and hyphens, and not begin with a hyphen',
  })
  .describe('The name in paths: 2 to 63 lowercase letters, digits and hyphens, unique and unchangeable.')
  .meta({ examples: ['acme-rovers'] });

const name = z
  .string()
  .min(1)
  .max(255)
  .refine((text) => text.trim() === text && !/\p{Cc}/u.test(text), {
    error: 'must not begin or end with white space, nor contain control characters',
  })
  .describe('Name shown to people, 1 to 255 characters.')
  .meta({ examples: ['Acme Rovers'] });

export const NewWorkspace = z
  .strictObject({
    slug,
    name,
    template: z
      .literal('default')
      .default('default')
      .describe('Initial configuration; `default` brings categories, lifecycles and numbering.')
      .meta({ examples: ['default'] }),
  })
  .meta({ id: 'NewWorkspace' });
export type NewWorkspace = z.infer<typeof NewWorkspace>;

export const WorkspaceItem = z
  .strictObject({
    id: z
      .uuid()
      .describe('Id of the workspace.')
      .meta({ examples: ['0199d0f0-0000-7000-8000-000000000001'] }),
    slug,
    name,
  })
  .describe('A workspace.')
  .meta({ id: 'Workspace' });
export type WorkspaceItem = z.infer<typeof WorkspaceItem>;

const adminKey = z.strictObject({
  id: z
    .uuid()
    .describe('Id of the key.')
    .meta({ examples: ['0199d0f0-0000-7000-8000-000000000002'] }),
  key: z
    .string()
    .describe('The key itself. It is shown only once and stored nowhere.')
    .meta({ examples: ['pbk_…'] }),
  permission: z
    .literal('admin')
    .describe('Permission of the key.')
    .meta({ examples: ['admin'] }),
});

export const NewAdminKey = z
  .strictObject({
    name: name
      .default('Made by the operator')
      .describe('The name of the key, 1 to 255 characters.')
      .meta({ examples: ['Made by the operator'] }),
  })
  .meta({ id: 'NewAdminKey' });
export type NewAdminKey = z.infer<typeof NewAdminKey>;

export const CreatedAdminKey = adminKey.meta({ id: 'CreatedAdminKey' });
export type CreatedAdminKey = z.infer<typeof CreatedAdminKey>;

export const CreatedWorkspace = z
  .strictObject({
    workspace: WorkspaceItem,
    apiKey: adminKey.describe('The first key of the workspace; it can create others.'),
  })
  .meta({ id: 'CreatedWorkspace' });
export type CreatedWorkspace = z.infer<typeof CreatedWorkspace>;
