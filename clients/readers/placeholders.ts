/** Texts that stand where a part number belongs and are none: what people write for "no number", and what tools write by default. */

const words = new Set(
  [
    '-',
    '--',
    '---',
    '—',
    '–',
    '.',
    '*',
    '/',
    '?',
    '??',
    '???',
    '~',
    '0',
    '#n/a',
    'n/a',
    'n.a.',
    'na',
    'nil',
    'none',
    'null',
    'no number',
    'no part number',
    'no value',
    'ots',
    'off the shelf',
    'off-the-shelf',
    'cots',
    'tbd',
    'tba',
    'tbc',
    'tbe',
    't.b.d.',
    'to be defined',
    'to be determined',
    'pending',
    'unknown',
    'unnamed',
    'untitled',
    'undefined',
    'not applicable',
    'not assigned',
    'unassigned',
    'generic',
    'misc',
    'various',
    'any',
    'see note',
    'see notes',
    'see drawing',
    'see description',
    'see comment',
    'siehe bemerkung',
    'siehe zeichnung',
    'kein',
    'keine',
    'ohne',
    'entfällt',
    'unbekannt',
    'norm',
    'normteil',
    'kaufteil',
    'voir note',
    'sans',
    'aucun',
    'aucune',
    'standard',
    'std',
    'custom',
    'purchased',
    'xxx',
    'xxxx',
    'нет',
    'б/н',
    'без чертежа',
    '无',
    '暂无',
    '待定',
    'なし',
    '無',
    '未定',
  ].map((word) => word.normalize('NFC')),
);

/** Whether a text is a word for "no number". */
export function isPlaceholder(text: string): boolean {
  return words.has(text.trim().toLowerCase().normalize('NFC'));
}

/** Defaults of CAD systems and translators: shapes, bodies and products that nobody has named. */
const defaults =
  /^(?:open cascade (?:step|shape).*|default[-_. ]?id.*|the product (?:name|id)|product[-_ ]?(?:name|id)|\(unsaved\)|\/null|no[-_ ]?name|(?:(?:un)?named[-_ ]?)?(?:solid|compound|compsolid|body|shell|surface|shape|feature|component|assembly|part|product|unnamed|untitled|new part|new assembly)(?:[ _]?\d+|\s?\(\d+\))?(?:\.\d+)*|part ?body(?:[._ ]?\d+)?|(?:prt|asm|model|mdl|sldprt|catpart|catproduct)[ _]?\d*|(?:part|assembly|solid|body) ?\d* \(\d+\)|(?:pad|pocket|fusion|cut|common|extrude|revolve|boss-extrude|revolution|loft|mirror|chamfer|fillet|box|cube|cylinder|sphere|cone|torus|wedge|imported?)[ _]?\d*|=>\[\d[\d:]*\]|\d{1,3}|s\d{1,3}|noname\d*)$/i;

/** Whether a STEP id or name was made by a tool and not by a person. */
export function isDefaultName(text: string): boolean {
  const plain = text.trim();
  return plain === '' || isPlaceholder(plain) || defaults.test(plain);
}
