/** The lists that Solid Edge writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

export const solidEdge: ToolProfile = {
  tool: 'Solid Edge',
  headers: [
    ['Item Number', 'File Name (no extension)', 'Quantity'],
    ['Item Number', 'Document Number', 'Title', 'Quantity'],
  ],
  roles: { 'Item Number': 'item', 'Document Number': 'number', 'File Name (no extension)': 'weakNumber' },
};
