/** The lists that Inventree writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

export const inventree: ToolProfile = {
  tool: 'InvenTree',
  headers: [
    ['BOM Level', 'Part ID', 'Part IPN', 'Part Name', 'Quantity'],
    ['Level', 'Component', 'Component IPN', 'Component Name', 'Quantity'],
  ],
  roles: {
    'Part ID': 'nothing',
    'Part IPN': 'number',
    'Component IPN': 'number',
    Component: 'nothing',
    ID: 'nothing',
    Part: 'nothing',
    Reference: 'references',
  },
};
