/** The category that orders, lines and requirements are entities of. */
import type { Behaviour } from '../../configuration/categories/behaviour.ts';
import type {
  CategoryConfiguration,
  WorkspaceConfiguration,
} from '../../configuration/current/workspace-configuration.ts';
import { AppError } from '../../errors.ts';

/** The one that is called like the behaviour, or the first that has it. Throws `procurement_not_configured`. */
export function findProcurementCategory(
  { categories }: WorkspaceConfiguration,
  behaviour: Behaviour,
): CategoryConfiguration {
  const named = categories.get(behaviour);
  if (named?.behaviour === behaviour) return named;
  for (const category of categories.values()) if (category.behaviour === behaviour) return category;
  throw new AppError('procurement_not_configured', {
    detail: `The workspace has no category with the behaviour "${behaviour}".`,
    extensions: { behaviour },
  });
}
