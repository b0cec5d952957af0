/**
 * Collects the links that a payload names but that cannot be written, for exact batches: no link is removed that a
 * refused element names, nor any link that an unreadable element may have named.
 */
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { normaliseGuid } from '../../db/ids.ts';

export class NamedLinks {
  /** Links that refused elements ask for: child and parent. */
  readonly refused: [childGuid: string, parentGuid: string][] = [];
  /** Parents of elements whose own GUID cannot be read. */
  readonly open = new Set<string>();
  /** Entities that say of themselves that they have no children. */
  readonly emptied = new Set<string>();
  /** Place of the first element of which not even the parent can be told; -1 for none. */
  unreadable = -1;
  readonly #aliases: WorkspaceConfiguration['aliases'];

  constructor(aliases: WorkspaceConfiguration['aliases']) {
    this.#aliases = aliases;
  }

  noteUnreadable(index: number): void {
    if (this.unreadable === -1 || index < this.unreadable) this.unreadable = index;
  }

  noteRefused(childGuid: string, parentGuid: string | null): void {
    if (parentGuid !== null && parentGuid !== childGuid) this.refused.push([childGuid, parentGuid]);
  }

  /** An element that is wrong somewhere. */
  noteFaulty(index: number, guid: string | null, value: unknown): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.noteUnreadable(index);
      return;
    }
    const { parentGuid: given } = value as { parentGuid?: unknown };
    if (given === undefined || given === null) return;
    const parentGuid = typeof given === 'string' ? normaliseGuid(given) : null;
    if (parentGuid === null) this.noteUnreadable(index);
    else if (guid === null) this.open.add(this.#follow(parentGuid));
    else this.noteRefused(this.#follow(guid), this.#follow(parentGuid));
  }

  #follow(guid: string): string {
    return this.#aliases.get(guid) ?? guid;
  }
}
