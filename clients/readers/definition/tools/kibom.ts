/** The lists that Kibom writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

export const kibom: ToolProfile = {
  tool: 'KiBoM',
  headers: [
    ['Component', 'Description', 'Part', 'References', 'Value', 'Footprint', 'Quantity Per PCB'],
    ['Row', 'Description', 'Part', 'References', 'Value', 'Footprint', 'Quantity Per PCB'],
  ],
  roles: { Component: 'item', Part: 'nothing' },
};
