/** The lists that Solidworks writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

export const solidworks: ToolProfile = {
  tool: 'SOLIDWORKS',
  headers: [
    ['ITEM NO.', 'PART NUMBER', 'QTY.'],
    ['POS-NR.', 'BENENNUNG', 'BESCHREIBUNG', 'MENGE'],
    ['N° ARTICLE', 'NUMERO DE PIECE', 'QTE'],
  ],
};
