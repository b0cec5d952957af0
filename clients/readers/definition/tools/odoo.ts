/** The lists that Odoo writes: how they are recognised, and what their columns mean. */
import type { ToolProfile } from './tool-profile.ts';

/** The first line of a product has its name; the lines below it leave the cell empty. */
export const odoo: ToolProfile = {
  tool: 'Odoo',
  headers: [
    ['Product', 'BoM Lines/Component', 'BoM Lines/Quantity'],
    ['product_tmpl_id', 'bom_line_ids/product_id', 'bom_line_ids/product_qty'],
    ['Product', 'Reference', 'BoM Lines/Component', 'BoM Lines/Quantity'],
  ],
  merged: ['Product', 'product_tmpl_id'],
  roles: {
    Product: 'parent',
    product_tmpl_id: 'parent',
    Reference: 'nothing',
    Quantity: 'nothing',
    product_qty: 'nothing',
    'BoM Lines/Component': 'number',
    'bom_line_ids/product_id': 'number',
    'BoM Lines/Quantity': 'quantity',
    'bom_line_ids/product_qty': 'quantity',
    'BoM Lines/Product Unit of Measure': 'unit',
  },
};
