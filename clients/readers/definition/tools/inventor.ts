/** The lists that Inventor writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

export const inventor: ToolProfile = {
  tool: 'Inventor',
  headers: [
    ['Item', 'Part Number', 'Unit QTY', 'QTY'],
    ['Item', 'Part Number', 'BOM Structure', 'QTY'],
    ['Objekt', 'Bauteilnummer', 'Stücklistenstruktur', 'ANZAHL'],
  ],
  roles: { 'Unit QTY': 'nothing', 'Stock Number': 'nothing', Objekt: 'item' },
};
