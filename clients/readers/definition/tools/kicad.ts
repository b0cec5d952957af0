/** The lists that Kicad writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

/** The symbol fields table, the grouped scripts, and the list of the board editor. */
export const kicad: ToolProfile = {
  tool: 'KiCad',
  headers: [
    ['Reference', 'Value', 'Datasheet', 'Footprint', 'Qty', 'DNP'],
    ['Refs', 'Value', 'Footprint', 'Qty', 'DNP'],
    ['Reference', 'Quantity', 'Value', 'Footprint', 'Datasheet'],
    ['Reference', 'Qty', 'Value', 'DNP', 'Exclude from BOM', 'Footprint'],
    ['Id', 'Designator', 'Footprint', 'Quantity', 'Designation', 'Supplier and ref'],
  ],
  roles: { 'Exclude from Board': 'nothing', 'Supplier and ref': 'nothing' },
};
