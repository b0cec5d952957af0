/**
 * The unit in the title of a column: `Mass (g)`, `Mass [g]`, `Mass / g`, `Mass in g`. Numbers below it are sent with that unit, and the
 * service converts them exactly. Names outside this list are no units, so that `Mass (max)` is none.
 */

/** Units of one row convert to each other; a test compares the rows with the units of the service. */
export const unitRows: readonly string[] = [
  'µg ug mg g kg t KG gram grams kilogram kilograms tonne tonnes oz lb lbs',
  'nm µm um mm cm dm m km MM CM KM millimeter millimeters millimetre centimeter meter meters metre metres in inch inches ft feet yd mil thou',
  'mm2 mm² cm2 cm² dm2 dm² m2 m² sqm',
  'mm3 mm³ cm3 cm³ ccm dm3 dm³ m3 m³ cbm ml mL cl dl l L liter litre gal',
  'ms µs s sec min h hr d',
  'mN N kN MN lbf',
  'Pa hPa kPa MPa GPa mbar bar psi N/mm2 N/mm² N/m2',
  'N/mm N/m kN/m kN/mm',
  'N.m N·m kN.m N.mm J mJ kJ MJ',
  'mW W kW MW',
  'µV mV V kV',
  'µA mA A kA',
  'mOhm Ohm ohm Ω kOhm kohm kΩ MOhm Mohm MΩ',
  'pF nF µF uF mF F',
  'nH µH mH H',
  'Hz kHz MHz GHz',
  'deg ° degree degrees',
  'mm/s cm/s m/s m/min km/h',
  'kg/m3 kg/m³ g/cm3 g/cm³ kg/dm3 kg/dm³ t/m3',
  'g/m kg/m',
  'g/m2 g/m² kg/m2 kg/m²',
];

const rowOf = new Map(unitRows.flatMap((row, at) => row.split(' ').map((name) => [name, at] as const)));

interface TitleUnit {
  unit: string;
  /** The title without the unit. */
  stem: string;
}

/** Blanks are trimmed afterwards: where they could belong to two parts, a title of blanks would take its length to the third power. */
const enclosed = /^(.+)(?:\(([^()]+)\)|\[([^[\]]+)\])$/s;
const behindWord = /^(.*\S)\s+in\s+(\S+)$/s;

/** Returns null where the title names no unit of the list. */
export function unitOfTitle(title: string): TitleUnit | null {
  const parts = partsOf(title);
  return parts !== null && rowOf.has(parts.unit) ? parts : null;
}

/** Returns the text in the place of a unit; outside of brackets only a unit of the list. Null where nothing stands there. */
export function unitTextOfTitle(title: string): string | null {
  return partsOf(title)?.unit ?? null;
}

export function isTitleUnit(text: string): boolean {
  return rowOf.has(text);
}

/** Whether the service converts one unit to the other; null where one of them is not in the list. */
export function converts(from: string, to: string): boolean | null {
  const [row, other] = [rowOf.get(from), rowOf.get(to)];
  return row === undefined || other === undefined ? null : row === other;
}

function partsOf(title: string): TitleUnit | null {
  const text = title.trim();
  const [, before = '', round, square] = enclosed.exec(text) ?? [];
  const [stem, inside] = [before.trim(), (round ?? square ?? '').trim()];
  if (stem !== '' && inside !== '') return { stem, unit: inside.replace(/^in\s+/, '') };
  const [, of, unit] = behindWord.exec(text) ?? [];
  if (of !== undefined && unit !== undefined && rowOf.has(unit)) return { stem: of, unit };
  const slash = text.indexOf('/');
  const behind = text.slice(slash + 1).trim();
  return slash < 1 || !rowOf.has(behind) ? null : { stem: text.slice(0, slash).trim(), unit: behind };
}
