/** Suppliers of the demo with what they sell, and items that are below their reorder points. */

export const demoSuppliers = [
  { name: 'DigiKey', code: 'DK', currency: 'USD', leadTimeDays: 4, contact: 'orders@digikey.example' },
  {
    name: 'Nordic Fasteners',
    code: 'NF',
    currency: 'EUR',
    leadTimeDays: 12,
    contact: 'sales@nordic.example',
  },
];

/** Parts by the name of their supplier and the number of their item. Screws are sold in bags. */
export const demoSupplierParts = [
  {
    supplier: 'DigiKey',
    number: 'HL-125',
    part: {
      sku: '2223-TS02-66-ND',
      manufacturer: 'CUI Devices',
      mpn: 'TS02-66-50-BK-160',
      packQuantity: 10,
      prices: [
        { from: 1, price: '0.14', currency: 'USD' },
        { from: 100, price: '0.096', currency: 'USD' },
      ],
    },
  },
  {
    supplier: 'DigiKey',
    number: 'HL-132',
    part: {
      sku: '1416-1028-1-ND',
      manufacturer: 'Luminus',
      mpn: 'SST-20-W57S-A120',
      packQuantity: 1,
      multiple: 50,
      prices: [
        { from: 1, price: '1.92', currency: 'USD' },
        { from: 250, price: '1.24', currency: 'USD', source: 'Offer 2026-114' },
      ],
    },
  },
  {
    supplier: 'Nordic Fasteners',
    number: 'SC-M2x6',
    part: {
      sku: 'NF-7985-M2X6',
      unit: 'bag',
      packQuantity: 1,
      minimum: 2,
      prices: [
        { from: 1, price: '6.80', currency: 'EUR' },
        { from: 10, price: '5.90', currency: 'EUR' },
      ],
    },
  },
  {
    supplier: 'Nordic Fasteners',
    number: 'OR-38x2',
    part: { sku: 'NF-OR38', packQuantity: 50, prices: [{ from: 50, price: '0.085', currency: 'EUR' }] },
  },
];

/** The switches and the screws are below their points; of the rings there are enough. */
export const demoPlanning = [
  { number: 'HL-125', planning: { policy: 'minMax', reorderPoint: 100, maximum: 250 } },
  { number: 'SC-M2x6', planning: { policy: 'reorderPoint', reorderPoint: 4000, safety: 200 } },
  { number: 'OR-38x2', planning: { policy: 'reorderPoint', reorderPoint: 60 } },
];
