/** Elements that name a merged entity are about the entity that stays, and so are links that name one as their parent. */
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { SyncElement } from './read-element.ts';
import type { SyncWarning } from './sync-result.ts';

/**
 * Gives the element the GUIDs of the entities that stay, with a warning for each. The entity that stays keeps its number: that of the
 * element is the one of the merged entity.
 */
export function followAliases(read: SyncElement, aliases: WorkspaceConfiguration['aliases']): void {
  if (aliases.size === 0) return;
  const [guid, parentGuid] = [aliases.get(read.guid), aliases.get(read.parentGuid ?? '')];
  const warnings: SyncWarning[] = [];
  if (guid !== undefined) {
    warnings.push({
      code: 'merged',
      message: `The entity ${read.guid} was merged into ${guid}. The element updates that one, which keeps its number.`,
    });
    read.guid = guid;
    read.number = '';
  }
  if (parentGuid !== undefined) {
    warnings.push({
      code: 'merged',
      message: `The parent ${read.parentGuid} was merged into ${parentGuid}. The link is of that one.`,
    });
    read.parentGuid = parentGuid;
  }
  const around = aliases.get(read.parentLocation ?? '');
  if (around !== undefined) read.parentLocation = around;
  if (warnings.length > 0) read.warnings = [...(read.warnings ?? []), ...warnings];
}
