/** The lists that Freecad writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

export const freecad: ToolProfile = {
  tool: 'FreeCAD',
  headers: [
    ['Index', 'Name', 'File Name', 'Quantity'],
    ['Number', 'Name', 'File Name', 'Quantity'],
  ],
  roles: { Index: 'item', Number: 'item', 'File Name': 'nothing' },
};
