/** Rules that map groups of the identity provider to areas. */
import { z } from 'zod';
import { areas } from '../../areas.ts';
import { oneLine } from '../../http/one-line.ts';

const GROUP_RULES_MAX = 200;

const Group = oneLine(255).meta({
  description: 'The group as the provider names it in its claim: a name, a path or an id.',
  example: 'partbook-engineers',
});
const Areas = z.array(z.enum(areas)).min(1).max(areas.length);

const GroupRule = z.strictObject({ group: Group, areas: Areas }).meta({ id: 'GroupRule' });

export const GroupRules = z
  .strictObject({
    items: z.array(GroupRule).max(GROUP_RULES_MAX).meta({
      description:
        'A person has the areas of all its groups; a person without any of these groups is no member.',
    }),
  })
  .meta({ id: 'GroupRules' });
export type GroupRules = z.output<typeof GroupRules>;

export const GroupTrial = z
  .strictObject({ groups: z.array(z.string().max(255)).max(1000) })
  .meta({ id: 'GroupTrial' });

export const GroupTrialResult = z
  .object({
    isMember: z.boolean().meta({ description: 'Whether a person with these groups would be a member.' }),
    areas: z.array(z.enum(areas)).meta({ description: 'What it could do.' }),
    matching: z.array(z.string()).meta({ description: 'The groups that have a rule.' }),
  })
  .meta({ id: 'GroupTrialResult' });
