/**
 * The basis of a dry run: the plan of each chunk and the versions of its entities. A commit plans again and
 * compares; any difference means that the reviewed plan is not what would happen.
 */
import { deserialize, serialize } from 'node:v8';
import { guidAt } from '../graph/guid-bytes.ts';
import type { ChunkPlan } from './chunk-plan.ts';
import type { ComparedEntity } from './compare-elements.ts';

interface Basis {
  plan: ChunkPlan;
  /** GUID and version (0: not stored) of every entity of the chunk, in the order of the GUIDs. */
  guids: string[];
  versions: Uint32Array;
  /** The hash of what each entity would get, 16 bytes each: definitions and categories affect it too. */
  hashes: Buffer;
  released: Uint8Array;
}

export function packBasis(plan: ChunkPlan, compared: readonly ComparedEntity[]): Buffer {
  const basis: Basis = {
    plan,
    guids: compared.map((entity) => entity.guid),
    versions: Uint32Array.from(compared, (entity) => entity.stored?.version ?? 0),
    hashes: Buffer.from(compared.map((entity) => entity.carrier.hash).join(''), 'latin1'),
    released: Uint8Array.from(compared, (entity) => (entity.stored?.released ? 1 : 0)),
  };
  return serialize(basis);
}

/** GUIDs of entities that are not as they were, at most `max`; empty when the basis still holds. */
export function staleGuids(then: Buffer, now: Buffer, max: number): string[] {
  if (then.equals(now)) return [];
  const before = deserialize(then) as Basis;
  const after = deserialize(now) as Basis;
  const stale = new Set<string>();
  const versions = new Map(before.guids.map((guid, place) => [guid, before.versions[place]]));
  for (const [place, guid] of after.guids.entries()) {
    if (versions.get(guid) !== after.versions[place]) stale.add(guid);
    versions.delete(guid);
  }
  for (const guid of versions.keys()) stale.add(guid);
  const linksBefore = linksOf(before.plan);
  const linksAfter = linksOf(after.plan);
  for (const [link, state] of linksBefore) if (linksAfter.get(link) !== state) stale.add(link.slice(0, 36));
  for (const link of linksAfter.keys()) if (!linksBefore.has(link)) stale.add(link.slice(0, 36));
  // Whatever else differs (a definition, a category) concerns every element that was to be written.
  if (stale.size === 0) for (const guid of after.guids.slice(0, max)) stale.add(guid);
  return [...stale].slice(0, max);
}

/** Returns the version of every entity of the chunk by GUID; 0 where it was not stored. */
export function versionsIn(packed: Buffer): Map<string, number> {
  const { guids, versions } = deserialize(packed) as Basis;
  return new Map(guids.map((guid, place) => [guid, versions[place] as number]));
}

/** Returns the stored state of each link and its parent, by child and parent. */
function linksOf({ links }: ChunkPlan): Map<string, string> {
  const states = new Map<string, string>();
  for (let place = 0; place < links.count; place++) {
    const link = `${guidAt(links.children, place)} ${guidAt(links.parents, place)}`;
    const line = links.lines?.get(place);
    states.set(link, `${links.stored[place]} ${links.flags[place]} ${line?.said} ${line?.stored}`);
  }
  return states;
}
