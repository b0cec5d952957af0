/** Column titles in English. */
import type { TitleList } from './title-list.ts';

export const english: TitleList = {
  decimal: '.',
  totals:
    'total, totals, grand total, sum, subtotal, sub total, total cost, total price, total qty, total quantity',
  guid: 'guid, eguid, object guid, uuid, object id, e guid',
  number:
    'number, part number, part no, part num, pn, p n, part #, item number, item code, item id, component number, child number, child part number, drawing number, drawing no, dwg no, stock code, internal part number, ipn, material number, material no, part id, part code, component code, component item, bom component, child, sku, product code, product number, internal reference, article number, article no',
  mpn: 'mpn, manufacturer part number, manufacturer part no, manufacturer part, manufacturer pn, mfg part number, mfr part number, mfg part no, mfr part no, mfg part, mfr part, mfg pn, mfr pn, mfrpn, mfgpn, manf no, manf #, manf num, manfnum, manf, mfg #, mfr #, mfg no, mfr no, mfg, mfr, order code, vendor part number, jlcpcb part #, jlcpcb part, lcsc part number',
  weakNumber: 'component, material, part, parts, item, reference, ref',
  parent:
    'parent, parent number, parent part number, parent part, parent item, parent no, parent assembly, assembly, assembly number, assembly part number, used in, used on, where used, father, nha, next higher assembly, belongs to, parent id, parent item id, parent part id, parent code, parent key, parent line, parent row, parent pos, parent position, parent index, parent ref, parent reference, parent item number, parent item no, parent component, parent product, parent sku, next assembly, next assy, next higher assy, higher assembly, father part',
  parentLocation:
    'parent location, parent location number, location parent, parentlocation, parent storage location, parent warehouse, parent shelf, parent bin, lies in, located in, inside location',
  parentName: 'parent name, parent description, assembly name, assembly description, assembly title',
  level:
    'level, lvl, bom level, explosion level, depth, indent level, hierarchy, hierarchy level, structure level, tree level, lv',
  item: 'pos, position, item, item no, item num, find number, find no, outline, wbs, no, nr, line, line no, line number, index, seq, sequence, row, balloon, bom item, s no, sr no, sl no, id',
  quantity:
    'quantity, qty, q ty, qty per, quantity per, qnty, amount, count, qty per assembly, quantity per assembly, quantity per pcb, qty per board, reference count, pcs, pieces, required quantity, item qty, instances, usage, bom quantity, product quantity, number of, no off, no of, qpa, qty per assy, quantity per assy, qty req, qty reqd, qty required, req qty, reqd qty, number required, no reqd, no required, quan, qnt, upa, units per assembly, qty used, quantity used, quantity required',
  references:
    'references, reference, refs, ref, designator, designators, reference designator, reference designators, ref des, refdes, ref designator, reference s, location, part, parts',
  name: 'name, part name, item name, component name, child name, component description, part description, child description, title, description, descr, desc, item description, object description, display name, product name, product, label, long name',
  category: 'category, category key, part type, type',
  unit: 'unit, units, uom, unit of measure, unit of measurement, measure, stock uom, base unit',
  note: 'note, notes, remark, remarks, bom note, bom notes, usage note, comments',
  notFitted:
    'dnp, dnf, dni, dnl, dns, dnm, dnc, do not populate, do not place, do not fit, do not load, do not install, do not mount, do not stuff, not fitted, not populated, not placed, not mounted, no pop, nopop, no fit, nofit, no stuff, nostuff, no load, noload, no bom, nobom, not in bom, not assembled, no mount, no place, do not assemble, omit, omitted, exclude from bom, exclude from b o m, excluded from bom, unpopulated',
  fitted:
    'fitted, populate, populated, place, placed, mount, mounted, install, installed, load, loaded, stuff, stuffed, assemble, assembled, fit, in bom, include in bom, bom',
  value: 'value, val, comment, designation, component value, part',
  footprint: 'footprint, package, case, pcb footprint, pcb package, package reference, case package',
  standard: 'standard, norm, spec, specification, din, iso',
  size: 'size, dimension, dimensions, length, thread, diameter, width, rating, voltage, tolerance, voltage rating, power, power rating, wattage, current, dielectric, temperature coefficient, tempco',
  material: 'material, material name, raw material, finish, surface, colour, color',
  manufacturer: 'manufacturer, manufacturer name, mfr name, mfg name, manf name, maker, brand',
  revision: 'revision, rev, rev no, version, configuration, config, variant, part revision, item revision',
  lineKind: 'bom structure, bom type, structure type, line type, component type, bom line type',
};
