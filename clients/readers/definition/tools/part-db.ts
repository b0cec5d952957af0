/** The lists that Part Db writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

export const partDb: ToolProfile = {
  tool: 'Part-DB',
  headers: [
    ['Id', 'Name', 'Quantity', 'Mountnames'],
    ['Mount names', 'Name', 'Quantity'],
    ['Quantity', 'Part', 'Mountnames'],
  ],
  roles: { Mountnames: 'references', 'Mount names': 'references', Id: 'item' },
};
