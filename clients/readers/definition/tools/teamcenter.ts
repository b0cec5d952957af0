/** The lists that Teamcenter writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

/** The column BOM Line stands in by blanks; it begins with the number of the item. */
export const teamcenter: ToolProfile = {
  tool: 'Teamcenter',
  headers: [
    ['BOM Line', 'Item ID', 'Quantity'],
    ['BOM Line', 'Quantity', 'Find No.'],
    ['BOM Line', 'Item Rev Status', 'Quantity'],
  ],
  roles: { 'BOM Line': 'weakNumber', 'Item ID': 'number' },
};
