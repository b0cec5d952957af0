/** A part that is ready for procurement is needed by its projects (interface, Requirement fulfilment flow). */
import { z } from 'zod';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { MICRO_MAX, type Micro, microUp } from '../../quantity.ts';
import { requirementOfRow } from '../records/requirement.ts';
import {
  type RequirementRow,
  selectProjectDates,
  selectRequirementsOfProjects,
} from '../records/requirements.sql.ts';
import { createRequirements } from '../requirements/raise-requirements.ts';
import { owningProjects } from '../shortages/owning-projects.ts';
import { defineFeature } from './feature.ts';

export const createMaterialRequirement = defineFeature({
  key: 'createMaterialRequirement',
  name: 'Create Material Requirement',
  description:
    'Raises a material requirement for the part against each project that owns it: the nearest ancestors in a category with the role `project`. The required quantity is what the structure takes, along all paths together, with losses, and without assemblies that are bought.',
  contextTypeId: 1,
  settingsSchema: z.strictObject({
    whenNoProject: z
      .enum(['skip', 'fail'])
      .default('skip')
      .describe('What to do for a part that no project owns: raise nothing, or refuse the transition.')
      .meta({ title: 'A part without a project', examples: ['skip'] }),
    whenRequired: z
      .enum(['topUp', 'add'])
      .default('topUp')
      .describe(
        'Where requirements of the project for the part exist: raise what the structure takes beyond them, or all of it once more.',
      )
      .meta({ title: 'Where requirements exist', examples: ['topUp'] }),
    requiredByProperty: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('Key of a date property of the project that says when the part is needed.')
      .meta({ title: 'Property with the required date', examples: ['NeededBy'] }),
  }),
  implemented: true,
  run: async (tx, { happened, settings }) => {
    const { entity, by } = happened;
    const role = (await configurationForWriting(tx)).categories.get(entity.category)?.role;
    if (role !== 'item' && role !== 'itemAndLocation') {
      throw new AppError(
        'feature_failed',
        `${entity.number ?? entity.id} is of a category that is not for items.`,
      );
    }
    const owners = await owningProjects(tx, entity.id);
    if (owners.size === 0 && settings.whenNoProject === 'fail') {
      throw new AppError('feature_failed', `No project owns ${entity.number ?? entity.id}.`);
    }
    const projects = [...owners.keys()].sort();
    const present =
      settings.whenRequired === 'topUp'
        ? await requiredOf(tx, projects, entity.id)
        : new Map<string, Micro>();
    const dates = await datesOf(tx, projects, settings.requiredByProperty);
    for (const [projectId, needed] of [...owners].sort()) {
      const amount = microUp(needed) - (present.get(projectId) ?? 0n);
      if (amount <= 0n) continue;
      if (amount > MICRO_MAX) {
        throw new AppError(
          'feature_failed',
          `A project takes more of ${entity.number ?? entity.id} than a quantity can be.`,
        );
      }
      const wanted = {
        actor: by.actor,
        project: { id: projectId, number: null, name: '' },
        line: null,
        // No answer shows this requirement with its picture.
        item: { id: entity.id, number: entity.number ?? null, name: entity.name, picture: null },
        amount,
        requiredBy: dates.get(projectId) ?? null,
      };
      await createRequirements(tx, [wanted]);
    }
  },
});

/** Returns how much of the item each project requires already. */
async function requiredOf(tx: Tx, projects: readonly string[], itemId: string): Promise<Map<string, Micro>> {
  const rows = await tx.query<RequirementRow>(selectRequirementsOfProjects, [
    tx.workspaceId,
    projects,
    [itemId],
  ]);
  const sums = new Map<string, Micro>();
  for (const { status, projectId, required } of rows.map(requirementOfRow)) {
    if (status === 'cancelled' || projectId === null) continue;
    sums.set(projectId, (sums.get(projectId) ?? 0n) + required);
  }
  return sums;
}

async function datesOf(
  tx: Tx,
  projects: readonly string[],
  property: string | undefined,
): Promise<Map<string, string>> {
  if (property === undefined) return new Map();
  const rows = await tx.query<{ id: string; date: string }>(selectProjectDates, [
    tx.workspaceId,
    projects,
    property,
  ]);
  return new Map(rows.map((row) => [row.id, row.date]));
}
