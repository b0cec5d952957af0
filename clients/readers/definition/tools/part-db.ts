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
