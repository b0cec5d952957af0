/** The lists that Jlcpcb writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

export const jlcpcb: ToolProfile = {
  tool: 'JLCPCB',
  headers: [
    ['Comment', 'Designator', 'Footprint', 'JLCPCB Part #'],
    ['Comment', 'Designator', 'Footprint', 'LCSC Part #'],
    ['Comment', 'Designator', 'Footprint', 'LCSC'],
  ],
};
