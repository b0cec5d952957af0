/** What columns are called, in the languages that lists come in. */

export type ColumnRole =
  | 'number'
  | 'name'
  | 'guid'
  | 'category'
  | 'quantity'
  | 'level'
  | 'item'
  | 'parent'
  | 'references'
  | 'unit'
  | 'exclude'
  | 'value'
  | 'footprint';

/** In the order in which they are given: a name that fits several is what stands first. Without blanks and signs. */
export const columnWords: readonly [ColumnRole, readonly string[]][] = [
  ['guid', ['guid', 'eguid', 'objectguid', 'uuid', 'objectid']],
  [
    'number',
    [
      'number',
      'partnumber',
      'partno',
      'partnum',
      'pn',
      'itemnumber',
      'itemcode',
      'artikelnummer',
      'artikelnr',
      'sachnummer',
      'sachnr',
      'teilenummer',
      'teilenr',
      'materialnummer',
      'materialnr',
      'zeichnungsnummer',
      'bestellnummer',
      'mpn',
      'manufacturerpartnumber',
      'manfno',
      'manf',
      'mfgpartnumber',
      'mfrpartnumber',
      'mfg',
      'mfr',
      'ordercode',
      'reference_piece',
      'refinterne',
      'referencia',
      'codice',
      'numeropiece',
      'partid',
      'sku',
      'component',
      'material',
    ],
  ],
  [
    'parent',
    [
      'parent',
      'parentnumber',
      'parentpartnumber',
      'parentitem',
      'assembly',
      'usedin',
      'usedon',
      'baugruppe',
      'father',
      'nha',
      'nexthigherassembly',
      'ubergeordnet',
    ],
  ],
  [
    'level',
    ['level', 'lvl', 'bomlevel', 'stufe', 'ebene', 'niveau', 'livello', 'nivel', 'explosionlevel', 'depth'],
  ],
  [
    'item',
    [
      'pos',
      'position',
      'item',
      'itemno',
      'findnumber',
      'findno',
      'posnr',
      'positionsnummer',
      'strukturnummer',
      'outline',
      'wbs',
      'repere',
      'no',
      'nr',
      'line',
    ],
  ],
  [
    'quantity',
    [
      'quantity',
      'qty',
      'qtyper',
      'quantityper',
      'menge',
      'anzahl',
      'stuck',
      'stueck',
      'stk',
      'qnty',
      'quantite',
      'qte',
      'quantita',
      'cantidad',
      'amount',
      'count',
      'qtyperassembly',
      'referencecount',
      'pcs',
    ],
  ],
  [
    'references',
    [
      'references',
      'reference',
      'refs',
      'ref',
      'designator',
      'designators',
      'referencedesignator',
      'referencedesignators',
      'refdes',
      'part',
      'parts',
      'bezeichner',
    ],
  ],
  [
    'name',
    [
      'name',
      'partname',
      'title',
      'benennung',
      'bezeichnung',
      'description',
      'descr',
      'desc',
      'designation',
      'libelle',
      'denominazione',
      'descrizione',
      'descripcion',
      'kurztext',
      'materialkurztext',
    ],
  ],
  ['category', ['category', 'categorykey', 'type', 'parttype', 'teileart', 'kategorie']],
  ['unit', ['unit', 'uom', 'einheit', 'me', 'unite', 'unita', 'unidad', 'mengeneinheit']],
  ['exclude', ['dnp', 'donotpopulate', 'dni', 'dnf', 'donotfit', 'excludefrombom', 'nopop', 'notfitted']],
  ['value', ['value', 'val', 'wert', 'designation', 'comment']],
  ['footprint', ['footprint', 'package', 'case', 'pcbfootprint']],
];
