/** The lists that Onshape writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

export const onshape: ToolProfile = {
  tool: 'Onshape',
  headers: [
    ['Item', 'Quantity', 'Part number', 'Description', 'Name'],
    ['Item', 'Quantity', 'Name', 'Part number', 'Revision', 'State'],
  ],
  roles: { State: 'nothing' },
};
