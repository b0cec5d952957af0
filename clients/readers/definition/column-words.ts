/** What columns are called, in the languages that lists come in. */

/** What is said of a list that has no column of quantities. */
export const NO_QUANTITIES = 'No column of quantities is named: a line in an assembly counts as 1.';

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
  | 'note'
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
      'itemid',
      'componentnumber',
      'komponente',
      'komponentennummer',
      'drawingnumber',
      'stockcode',
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
      'referencepiece',
      'refinterne',
      'referencia',
      'codice',
      'numeropiece',
      'numerodepieza',
      'objektnummer',
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
      'itemname',
      'objektkurztext',
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
  [
    'note',
    [
      'note',
      'notes',
      'remark',
      'remarks',
      'bomnote',
      'bomnotes',
      'usagenote',
      'bemerkung',
      'bemerkungen',
      'anmerkung',
      'anmerkungen',
      'hinweis',
      'remarque',
      'remarques',
      'nota',
      'notas',
      'observaciones',
      'osservazioni',
    ],
  ],
  ['exclude', ['dnp', 'donotpopulate', 'dni', 'dnf', 'donotfit', 'excludefrombom', 'nopop', 'notfitted']],
  ['value', ['value', 'val', 'wert', 'designation', 'comment', 'part']],
  ['footprint', ['footprint', 'package', 'case', 'pcbfootprint']],
];

/**
 * Words that tell a column within a longer title, such as `Komponentenmenge`, where no title is one of those above; of these roles
 * alone, without which a list is read wrongly rather than less fully.
 */
export const wordsWithin: readonly [ColumnRole, readonly string[]][] = [
  [
    'number',
    ['partnumber', 'partno', 'itemnumber', 'teilenummer', 'artikelnummer', 'materialnummer', 'numeropiece'],
  ],
  ['level', ['level', 'stufe', 'ebene', 'niveau', 'livello', 'nivel']],
  ['quantity', ['quantity', 'quantite', 'quantita', 'qty', 'menge', 'anzahl', 'cantidad']],
];

/** Of whose number a title speaks that is not the line's. */
export const otherParts = /parent|assembly|ubergeordnet|baugruppe|next/;

/** What such a title speaks of instead: `Order quantity`, `Lagermenge`, `Supplier Part Number`, `Revision Level`. */
export const otherMatters =
  /price|preis|prix|cost|kosten|stock|bestand|lager|inventory|onhand|available|order|bestell|total|gesamt|minimum|maximum|spare|scrap|unit|einheit|supplier|vendor|lieferant|customer|kunde|revision|version|release|approv|access|status/;
