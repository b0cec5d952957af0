import type { ToolProfile } from './tool-profile.ts';

export const onshape: ToolProfile = {
  tool: 'Onshape',
  headers: [
    ['Item', 'Quantity', 'Part number', 'Description', 'Name'],
    ['Item', 'Quantity', 'Name', 'Part number', 'Revision', 'State'],
  ],
  roles: { State: 'nothing' },
};
