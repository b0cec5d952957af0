/** All tools whose lists are known, and the choice of the one that wrote a table. */
import { bareTitle } from '../column-titles.ts';
import { altium } from './altium.ts';
import { eagle } from './eagle.ts';
import { easyeda } from './easyeda.ts';
import { erpnext } from './erpnext.ts';
import { freecad } from './freecad.ts';
import { fusion } from './fusion.ts';
import { inventor } from './inventor.ts';
import { inventree } from './inventree.ts';
import { jlcpcb } from './jlcpcb.ts';
import { kibom } from './kibom.ts';
import { kicad } from './kicad.ts';
import { odoo } from './odoo.ts';
import { onshape } from './onshape.ts';
import { partDb } from './part-db.ts';
import { solidEdge } from './solid-edge.ts';
import { solidworks } from './solidworks.ts';
import { teamcenter } from './teamcenter.ts';
import type { ToolProfile } from './tool-profile.ts';

export const toolProfiles: readonly ToolProfile[] = [
  altium,
  eagle,
  easyeda,
  erpnext,
  freecad,
  fusion,
  inventor,
  inventree,
  jlcpcb,
  kibom,
  kicad,
  odoo,
  onshape,
  partDb,
  solidEdge,
  solidworks,
  teamcenter,
];

/** The tool with the longest header that the titles have; null for a table that nobody knows. */
export function profileOf(titles: readonly string[]): ToolProfile | null {
  const own = new Set(titles.map(bareTitle));
  const matches = toolProfiles.flatMap((profile) =>
    profile.headers
      .filter((header) => header.every((title) => own.has(bareTitle(title))))
      .map((header) => ({ profile, length: header.length })),
  );
  return matches.toSorted((a, b) => b.length - a.length)[0]?.profile ?? null;
}
