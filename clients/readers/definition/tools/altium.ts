/** The lists that Altium writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

export const altium: ToolProfile = {
  tool: 'Altium Designer',
  headers: [
    ['Comment', 'Description', 'Designator', 'Footprint', 'LibRef', 'Quantity'],
    ['Designator', 'Comment', 'Manufacturer Part Number 1', 'Fitted', 'Quantity'],
  ],
  roles: { LibRef: 'nothing' },
};
