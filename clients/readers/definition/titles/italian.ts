/** Column titles in Italian. */
import type { TitleList } from './title-list.ts';

export const italian: TitleList = {
  decimal: ',',
  totals: 'totale, totali, somma, subtotale',
  number:
    'codice, codice articolo, codice parte, codice componente, numero parte, numero di parte, numero articolo, n° parte, numero disegno, codice interno',
  mpn: 'codice produttore, codice costruttore, part number produttore',
  weakNumber: 'articolo, componente, particolare, riferimento',
  parent: 'assieme, padre, complessivo, gruppo, usato in',
  parentName: 'descrizione assieme, descrizione padre',
  level: 'livello, liv',
  item: 'posizione, pos, riga, elemento, rif',
  quantity: 'quantità, qtà, q tà, quant, n pezzi, pezzi',
  references: 'designatore, designatori, riferimenti',
  name: 'descrizione, denominazione, nome, designazione, titolo',
  category: 'categoria, famiglia',
  unit: 'unità, unità di misura, um, u m',
  note: 'nota, osservazioni, commento, commenti',
  notFitted: 'non montare, non montato, non popolare, non popolato',
  fitted: 'montare, montato, popolato, montaggio',
  value: 'valore',
  footprint: 'impronta, contenitore',
  standard: 'norma, normativa',
  size: 'dimensioni, dimensione, misura, misure, lunghezza, diametro, spessore',
  material: 'materiale, finitura, colore',
  manufacturer: 'produttore, costruttore, marca',
  revision: 'revisione, rev, versione, variante, configurazione',
};
