/** The lists that Fusion writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

/** Fusion writes the version of a component behind its name. */
export const fusion: ToolProfile = {
  tool: 'Fusion',
  headers: [
    ['Part Name', 'Instances', 'Part Number'],
    ['Name', 'Instances', 'Part Number'],
    ['Item', 'Qty', 'Part Number', 'Part Name', 'Mass'],
  ],
};
