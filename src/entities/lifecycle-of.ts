/** The lifecycle that an entity follows. */
import type {
  LifecycleConfiguration,
  WorkspaceConfiguration,
} from '../configuration/current/workspace-configuration.ts';

/** By its category, which cannot be deleted while there are entities of it: its absence is damage. */
export function lifecycleOf(configuration: WorkspaceConfiguration, category: string): LifecycleConfiguration {
  const found = configuration.categories.get(category);
  if (found === undefined) throw new Error(`An entity is of category "${category}", which does not exist`);
  return found.lifecycle;
}
