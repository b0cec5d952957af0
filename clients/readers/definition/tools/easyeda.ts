/** The lists that Easyeda writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

/** EasyEDA writes the value of a component as its name. */
export const easyeda: ToolProfile = {
  tool: 'EasyEDA',
  headers: [
    ['ID', 'Name', 'Designator', 'Footprint', 'Quantity', 'Manufacturer Part'],
    ['No.', 'Quantity', 'Comment', 'Designator', 'Footprint', 'Value', 'Manufacturer Part'],
  ],
  roles: { ID: 'item', 'No.': 'item' },
};
