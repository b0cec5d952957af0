/** The lists that Eagle writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

export const eagle: ToolProfile = {
  tool: 'Eagle',
  headers: [
    ['Qty', 'Value', 'Device', 'Package', 'Parts'],
    ['Part', 'Value', 'Device', 'Package', 'Description'],
  ],
  roles: { Device: 'nothing' },
};
