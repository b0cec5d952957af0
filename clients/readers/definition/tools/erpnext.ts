/** The lists that Erpnext writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

/** The first line of a bill of materials has its id and item; the lines below it leave them empty. */
export const erpnext: ToolProfile = {
  tool: 'ERPNext',
  headers: [
    ['ID', 'Item', 'Item Code (Items)', 'Qty (Items)'],
    ['Item Code', 'Item Name', 'BOM', 'Qty', 'UOM'],
  ],
  merged: ['Item'],
  roles: {
    ID: 'nothing',
    BOM: 'nothing',
    Item: 'parent',
    Quantity: 'nothing',
    'Item Name': 'name',
    'Item Code (Items)': 'number',
    'Item Name (Items)': 'name',
    'Qty (Items)': 'quantity',
    'UOM (Items)': 'unit',
    'Stock UOM (Items)': 'unit',
  },
};
