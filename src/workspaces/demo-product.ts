/** The data of the demo workspace: a hand lamp as a small maker would build it. Invented, and close to life. */

interface Part {
  number: string;
  name: string;
  category: 'part' | 'assembly' | 'material';
  properties?: Record<string, string>;
  /** Number of the parent and how many of this it takes. */
  uses?: readonly (readonly [parent: string, quantity: number])[];
  /** Number of the part that may be used instead of this one. */
  substitute?: string;
}

const bought = (supplier: string, cost: string, mass: string) => ({
  Supplier: supplier,
  UnitCost: cost,
  Mass: mass,
  Purchased: 'true',
});

const demoParts: readonly Part[] = [
  { number: 'HL-100', name: 'Hand lamp HL-100', category: 'assembly', properties: { Mass: '0.412' } },
  { number: 'HL-110', name: 'Head, complete', category: 'assembly', uses: [['HL-100', 1]] },
  { number: 'HL-120', name: 'Handle, complete', category: 'assembly', uses: [['HL-100', 1]] },
  { number: 'HL-130', name: 'Driver board, assembled', category: 'assembly', uses: [['HL-110', 1]] },
  {
    number: 'HL-111',
    name: 'Lens, 40 mm, clear',
    category: 'part',
    properties: bought('Optima', '1.85', '0.021'),
    uses: [['HL-110', 1]],
  },
  {
    number: 'HL-112',
    name: 'Reflector',
    category: 'part',
    properties: bought('Optima', '2.40', '0.014'),
    uses: [['HL-110', 1]],
  },
  {
    number: 'HL-113',
    name: 'Bezel ring',
    category: 'part',
    properties: { Material: 'EN AW-6082', Mass: '0.032' },
    uses: [['HL-110', 1]],
  },
  {
    number: 'HL-114',
    name: 'Seal, head',
    category: 'part',
    properties: bought('Dichtwerk', '0.22', '0.002'),
    uses: [['HL-110', 2]],
  },
  {
    number: 'HL-115',
    name: 'Heat sink',
    category: 'part',
    properties: { Material: 'EN AW-6082', Mass: '0.068' },
    uses: [['HL-110', 1]],
  },
  {
    number: 'HL-121',
    name: 'Tube, handle',
    category: 'part',
    properties: { Material: 'EN AW-6082', Mass: '0.121' },
    uses: [['HL-120', 1]],
  },
  {
    number: 'HL-122',
    name: 'End cap',
    category: 'part',
    properties: { Material: 'EN AW-6082', Mass: '0.029' },
    uses: [['HL-120', 1]],
  },
  {
    number: 'HL-123',
    name: 'Grip sleeve',
    category: 'part',
    properties: bought('Gummi Hart', '0.95', '0.018'),
    uses: [['HL-120', 1]],
  },
  {
    number: 'HL-124',
    name: 'Spring, battery',
    category: 'part',
    properties: bought('Federn Nord', '0.11', '0.001'),
    uses: [['HL-120', 2]],
  },
  {
    number: 'HL-125',
    name: 'Switch, tail',
    category: 'part',
    properties: bought('DigiKey', '1.30', '0.006'),
    uses: [['HL-120', 1]],
  },
  {
    number: 'HL-126',
    name: 'Wrist strap',
    category: 'part',
    properties: bought('Gummi Hart', '0.40', '0.008'),
    uses: [['HL-100', 1]],
  },
  {
    number: 'HL-131',
    name: 'Printed circuit board, driver',
    category: 'part',
    properties: bought('Platinen Süd', '0.78', '0.004'),
    uses: [['HL-130', 1]],
  },
  {
    number: 'HL-132',
    name: 'LED, 5 W, neutral white',
    category: 'part',
    properties: bought('DigiKey', '1.12', '0.001'),
    uses: [['HL-130', 1]],
    substitute: 'HL-137',
  },
  {
    number: 'HL-137',
    name: 'LED, 5 W, warm white',
    category: 'part',
    properties: bought('Lumen Trade', '1.20', '0.001'),
  },
  {
    number: 'HL-133',
    name: 'Inductor, 22 µH',
    category: 'part',
    properties: bought('Lumen Trade', '0.34', '0.002'),
    uses: [['HL-130', 1]],
  },
  {
    number: 'HL-134',
    name: 'Capacitor, 10 µF',
    category: 'part',
    properties: bought('Lumen Trade', '0.05', '0.001'),
    uses: [['HL-130', 4]],
  },
  {
    number: 'SC-M2x6',
    name: 'Screw M2 × 6, A2',
    category: 'part',
    properties: bought('Nordic Fasteners', '0.03', '0.001'),
    uses: [
      ['HL-110', 4],
      ['HL-120', 2],
    ],
  },
  {
    number: 'OR-38x2',
    name: 'O-ring 38 × 2',
    category: 'part',
    properties: bought('Nordic Fasteners', '0.15', '0.001'),
    uses: [
      ['HL-110', 1],
      ['HL-120', 1],
    ],
  },
  {
    number: 'GR-10',
    name: 'Thermal grease',
    category: 'material',
    properties: bought('Lumen Trade', '18.00', '1'),
    uses: [['HL-110', 0.002]],
  },
  // Entered a second time by its order code: to be merged into HL-124. New parts go to the end, because GUIDs follow the order of this list.
  {
    number: 'FN-0815',
    name: 'Battery spring FN-0815',
    category: 'part',
    properties: bought('Federn Nord', '0.11', '0.001'),
  },
  {
    number: 'HL-127',
    name: 'Grip sleeve, silicone',
    category: 'part',
    properties: bought('Gummi Hart', '1.10', '0.016'),
  },
];

/** Released in this order, the assembly last. Its other parts are in work, which the release warns about. */
export const demoReleases = ['HL-121', 'HL-123', 'HL-120'];

/** A change that came after the release: the tube gets a revision. */
export const changedTube = () => ({
  guid: demoGuid('HL-121'),
  number: 'HL-121',
  name: 'Tube, handle, anodised',
  categoryKey: 'part',
  properties: { SurfaceFinish: 'Anodised', Mass: '0.122' },
});

/** The GUIDs are equal in every installation: a repeated sync changes nothing. */
export function demoGuid(number: string): string {
  const place = demoParts.findIndex((part) => part.number === number);
  if (place === -1) throw new Error(`The demo has no part ${number}`);
  return `de300000-0000-4000-8000-${String(place + 1).padStart(12, '0')}`;
}

/** The elements that a design system would send: one for each place in the structure. `pictures` has hashes by number. */
export function demoElements(pictures: ReadonlyMap<string, string>): object[] {
  return demoParts.flatMap(({ number, name, category, properties = {}, uses = [], substitute }) => {
    const picture = pictures.get(number);
    const element = { guid: demoGuid(number), number, name, categoryKey: category, properties, picture };
    if (uses.length === 0) return [element];
    const line = substitute === undefined ? {} : { substitutes: [{ guid: demoGuid(substitute) }] };
    return uses.map(([parent, quantity]) => ({
      ...element,
      parentGuid: demoGuid(parent),
      quantity,
      ...line,
    }));
  });
}

/** On the shelf: number, quantity. What is missing here is short for the project. */
export const demoStock: readonly (readonly [number: string, quantity: number])[] = [
  ['HL-111', 60],
  ['HL-112', 24],
  ['HL-113', 40],
  ['HL-114', 180],
  ['HL-115', 12],
  ['HL-121', 33],
  ['HL-123', 50],
  ['HL-124', 400],
  ['HL-125', 8],
  ['HL-131', 100],
  ['HL-133', 75],
  ['HL-134', 1200],
  ['HL-137', 6],
  ['SC-M2x6', 2500],
  ['OR-38x2', 140],
  ['FN-0815', 25],
  ['GR-10', 0.75],
];

/** The cost of opening stock, from the design data. */
export function demoCost(number: string): { unitCost?: { price: string } } {
  const price = demoParts.find((part) => part.number === number)?.properties?.UnitCost;
  return price === undefined ? {} : { unitCost: { price } };
}

/** The import that failed for some: a category that the workspace lacks, masses that are no numbers. */
export function failingElements(): object[] {
  const guidOf = (n: number) => `de300000-0000-4000-8000-0000000009${String(n).padStart(2, '0')}`;
  const cells = ['18650, 3.0 Ah', '18650, 3.5 Ah', '21700, 5.0 Ah'].map((size, n) => ({
    guid: guidOf(n),
    number: `BAT-${n + 1}`,
    name: `Cell ${size}`,
    categoryKey: 'battery',
    properties: { Supplier: 'Zellwerk', Mass: '0.048' },
  }));
  const packaging = ['Carton, single', 'Carton, ten', 'Inlay', 'Leaflet'].map((name, n) => ({
    guid: guidOf(n + 10),
    number: `PK-${n + 1}`,
    name,
    categoryKey: 'part',
    properties: { Supplier: 'Kartonagen West', Mass: n < 2 ? '0,035 kg' : '0.012' },
  }));
  return [...cells, ...packaging];
}

export const demoAutomation = {
  name: 'Log released items',
  description: 'Runs after every transition; the demo has released some parts, so it has run.',
  contextTypeId: 1,
  enabled: true,
  script: `if (context.toState === 'Released') {
  api.log('Released: ' + context.entityNumber + ' (was ' + context.fromState + ')');
}
`,
} as const;

/** Shows a button, a schedule, a threshold and built-in actions, by the numbers of the project and of the shelf. */
export const demoAutomations = (project: string, location: string) => [
  {
    name: 'Ask for more',
    description: 'A button on parts: raises a requirement of the project.',
    contextTypeId: 5,
    button: { label: 'Ask for 10 more', categories: ['part'] },
    actions: [{ action: 'raiseRequirement', settings: { project, quantity: 10, requiredInDays: 14 } }],
  },
  {
    name: 'Reorder fasteners',
    description: 'Drafts a purchase order when the stock of a released part is low.',
    contextTypeId: 9,
    filter: { categories: ['part'], states: ['Released'] },
    threshold: { figure: 'available', below: 20, rearm: 40 },
    actions: [{ action: 'draftOrder', settings: { location, quantity: 100, supplier: 'Optima' } }],
  },
  {
    name: 'Count parts in work',
    description: 'Runs every morning.',
    contextTypeId: 8,
    schedule: { cron: '0 6 * * 1-5', timeZone: 'Europe/Berlin' },
    script: `const { items } = await api.findEntities({ state: 'In Work', limit: 100 });
api.log(items.length + ' in work');
`,
  },
];
