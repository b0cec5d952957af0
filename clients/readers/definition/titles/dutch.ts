/** Column titles in Dutch. */
import type { TitleList } from './title-list.ts';

export const dutch: TitleList = {
  decimal: ',',
  totals: 'totaal, som, subtotaal, eindtotaal',
  number:
    'artikelnummer, artikelnr, onderdeelnummer, onderdeelnr, artikelcode, tekeningnummer, tekeningnr, stuknummer, onderdeel nummer',
  mpn: 'fabrikantnummer, artikelnummer fabrikant, fabrikant artikelnummer',
  weakNumber: 'artikel, onderdeel, component',
  parent: 'samenstelling, bovenliggend, hoofdsamenstelling, gebruikt in',
  parentName: 'omschrijving samenstelling',
  level: 'niveau',
  item: 'positie, positienummer, posnr, regel, volgnummer',
  quantity: 'aantal, hoeveelheid, aant, stuks',
  references: 'referentie, referenties, aanduiding',
  name: 'omschrijving, benaming, naam, beschrijving, titel',
  category: 'categorie',
  unit: 'eenheid, ehd',
  note: 'opmerking, opmerkingen, notitie',
  notFitted: 'niet plaatsen, niet geplaatst, niet monteren, niet gemonteerd',
  fitted: 'plaatsen, geplaatst, gemonteerd, monteren',
  value: 'waarde',
  footprint: 'behuizing',
  standard: 'norm',
  size: 'afmeting, afmetingen, maat, lengte, dikte',
  material: 'materiaal, afwerking, kleur',
  manufacturer: 'fabrikant, merk',
  revision: 'revisie, versie, variant, uitvoering, configuratie',
};
